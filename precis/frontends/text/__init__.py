"""Printed IR, read back: for tests, for study, for reports of bugs.

parse.py   whole programs, and the front end
bodies.py  the lines of a procedure: steps and ends of blocks
terms.py   types and terms
line.py    one line as a row of tokens
"""
