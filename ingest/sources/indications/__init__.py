"""Tables of indications: PharmacotherapyDB and the resources that it was made of."""
