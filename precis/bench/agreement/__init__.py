"""Compiled builds of a program, what sanitizers say of them, and how that compares.

`builds` compiles and runs, `reports` reads what a run wrote to stderr, `referee` runs the `precis`
command, `verdicts` compares all of it with the planted truth.
"""
