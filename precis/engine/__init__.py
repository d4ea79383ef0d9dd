"""Explorers: Program + Domain -> Result.

verify.py      ties the rest together: stages, budgets, verdict; the file to read first
results.py     Verdict, Finding, ObligationResult, Result: what reports show
summary.py     the table of summaries; what the engine asks of a store of them
recall.py      summaries of earlier runs, where they hold
keys.py        digests of what summaries depend on
analysis.py    one analysis of a whole program: what it leaves open, where it gave up
activation.py  a procedure with one entry: limits, states, what is open
procedure.py   the fixpoint inside one activation
sweep.py       the same with one state at each block
confirm.py     is it one? states grow until it is
schedule.py    which activation runs when: on demand from roots, or bottom-up; recursion
traces.py      from an open obligation back to its causes
dependence.py  which obligations stand after which others
wording.py     obligations in words
budget.py      limits, cancellation, progress

Runs in search of a violation:
search.py        which inputs are run, in which order; what is found
candidates.py    values worth trying for each input
search_aim.py    inputs that make a condition turn out as it never did
search_moves.py  the inputs that depart from a run, with what each costs
search_texts.py  text for programs that read
minimise.py      inputs that break an obligation -> the least that still do
"""
