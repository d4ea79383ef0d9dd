"""A project unit by unit, as libraries: what it costs, what stays open, how large summaries are.

run.py      `precis check --library` on each unit, with its peak memory
score.py    what came out, added up and as tables
plots.py    size against depth, and sizes of classes, as SVG
"""
