"""Fragments that use the constructs of C that real programs use, beyond plain statements.

`members` (of records), `initialisers`, `storage` (where objects live), `control` (jumps),
`functions`, `compile_time` (what only the compiler knows), `library` (calls of the C library).
`families` names them, so that a program can be asked for that uses some of them only.
"""
