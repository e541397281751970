"""How the schema came to be: one file in versions/ for every step, forward only; env runs those that are missing."""
