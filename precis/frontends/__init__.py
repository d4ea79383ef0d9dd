"""Front ends: source text -> `ir.Program`.

protocol.py  what every front end offers
clang/       C, through libclang; the only folder that touches libclang
text/        printed IR, read back
headers/     the C headers that programs see instead of the system's
models/      library functions, written in C
"""
