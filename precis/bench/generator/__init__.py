"""Random C programs with planted truth.

Read in this order: `truth` (what is known of a program), `scalars` and `expressions` (arithmetic
that is defined for every value in a range), `statements`, `draft` (the program as it grows), the
fragments (`lists`, `trees`, `arrays`, `strings`, `records`, `calls`, `heap`, `numbers`: idiomatic
code, correct by construction, advanced in turns so that their statements mix; `constructs/` has
more, one for each construct of C that real programs use), `families` (how to ask for some of them
only, and which ones wait for the front end), `gate` (conditions that hold on known inputs),
`defects/` (one module per family of rules), `places` (where in the program a defect stands), and
`compose`, which makes a program of all this.
"""
