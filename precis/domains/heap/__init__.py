"""Modular heaps: one summary for each procedure, right for every caller.

diagrams.py guards.py clauses.py            conditions as decision diagrams, brackets of them
names.py        names of blocks and unknowns; values made of them
theory.py       atoms of conditions, and how they go together
sets.py         values with guards
arithmetic.py   numbers of C's types
frame.py        what belongs to one procedure; which pointers may be the same
kinds.py        which records can lie in the same memory
classes.py      which of them must be related; the order in which a summary writes
state.py        everything that is known at one place
initial.py spreads.py memory.py pointers.py what memory holds; what pointers lead to
strings.py      texts: bytes up to one that is zero, and loops that walk along them
terms.py transfer.py                        what programs do to it, with
choices.py blocks.py copies.py turns.py     the parts of that
library.py formats.py inputs.py             streams, printing and reading
reached.py externals.py rebound.py          calls by pointers, and of functions without a body
forget.py order.py widening.py              comparing, joining, widening
instance.py text_here.py calls.py           a summary in the memory of a caller
inline.py                                   the body of a callee in the memory of a caller
split.py                                    inputs told apart by their values
judge.py lost.py plain.py filled.py         obligations and needs; lost blocks; unset memory
returning.py    procedures that certainly return
idle.py trim.py hidden.py packed.py         smaller states; summaries by themselves
lengths.py without_bytes.py                 what callers are told of texts
shown.py texts.py cases.py measures.py      summaries for readers, and how large they are
codec.py        summaries as plain data, and back
domain.py       all of it as a `Domain`
"""
