"""The intermediate language, shared by front ends, the referee and every analysis.

types.py       integer, float, pointer, array, record types and their layout in bytes
values.py      `Term`: pure typed expressions, hash-consed
instr.py       steps and ends of basic blocks
obligation.py  what must hold before a step
procedure.py   variables, objects, basic blocks, procedures
program.py     globals, data models, whole programs
location.py    places in source text, through macros
callgraph.py   who calls whom; strongly connected components, bottom-up
liveness.py    which variables may still be read
holders.py     which variables keep a heap block from being lost
loops.py       weak topological order of a procedure's blocks
defined.py     which variables may be read before they are assigned
signature.py   what a function type means for the arguments of a call
primitives.py  functions without a body that models are written over
printer.py     program -> text (frontends/text reads it back)
notation.py    the words and signs of that text
clike.py       terms and types as messages show them
codec.py       program <-> bytes
wellformed.py  what every front end and pass promises; with wellformed_steps.py, welltyped.py
"""
