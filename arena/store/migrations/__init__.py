"""How the schema came to be: one file in versions/ for each step since the first release; env runs what is missing."""
