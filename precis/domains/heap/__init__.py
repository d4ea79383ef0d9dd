"""Modular heaps: one summary for each procedure, right for every caller.

guards.py       conditions as decision diagrams, and brackets of them
names.py        names of blocks and unknowns; values made of them
theory.py       atoms of conditions, and how they go together
sets.py         values with guards
arithmetic.py   numbers of C's types
frame.py        what belongs to one procedure; which pointers may be the same
classes.py      which of them must be related; the order in which a summary writes
state.py        everything that is known at one place
initial.py memory.py terms.py transfer.py   what programs do to it
forget.py order.py                          comparing, joining, widening
calls.py        a summary in the memory of a caller
judge.py lost.py                            obligations and needs
domain.py       all of it as a `Domain`
"""
