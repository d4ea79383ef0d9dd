"""The regression tests of Predator, a shape analyser: what it expects against what Precis says.

A checkout of kdudka/predator is the user's; nothing of it is kept here. Its folder
`tests/predator-regre` has programs `NAME.c` and, beside them, what Predator says of each in several
modes. The mode that asks the same questions as Precis can is `NAME.err.exit_leaks`: malloc succeeds
(other than in `.err.oom`), uninitialised values are not looked for (`.err.uninit`), blocks that
are not freed when the program ends count, also where it ends by `exit` (not so in `.err`), and
labels named ERROR mean nothing (`.err` takes them for errors). Functions without a body are
ignored by both.

`expected` reads such a file, `judge` holds a verdict against it, `checks` runs `precis check`,
`score` counts and prints.
"""
