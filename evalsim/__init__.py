"""Evaluation of clinical models in conversation: patients, directors and judges that know the graph."""
