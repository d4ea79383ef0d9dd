"""Front ends: source text -> `ir.Program`.

protocol.py  what every front end offers
clang/       C, through libclang; the only folder that touches libclang
text/        printed IR, read back
cache.py     what was made of files, kept on disk
headers/     the C headers that programs see instead of the system's
stand_ins/   headers for what clang cannot read of the system's
models/      library functions, written in C
"""
