"""Measuring Precis from outside: generated programs with known truth, and agreement with compilers.

Nothing here imports another room: the `precis` command is run as users run it. `generate` makes
programs, `agree` compares what `precis run` says of them with compiled builds, `layout` compares
the layout of types, `verdicts` and `predator` hold verdicts of `precis check` against planted truth
and against what the tests of another analyser expect.
"""
