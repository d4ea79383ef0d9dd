"""Explorers: Program + Domain -> Result.

verify.py      ties the rest together: stages, budgets, verdict; the file to read first
results.py     Verdict, Finding, ObligationResult, Result: what reports show
summary.py     the table of summaries
procedure.py   the fixpoint inside one activation of a procedure
schedule.py    which activation runs when: on demand from roots, or bottom-up; recursion
traces.py      from an open obligation back to its causes
dependence.py  which obligations stand after which others
search.py      runs of the referee in search of a violation
budget.py      limits, cancellation, progress
"""
