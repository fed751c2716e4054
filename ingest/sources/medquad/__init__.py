"""MedQuAD: questions and answers on diseases, drugs and tests, from health sites of the NIH."""
