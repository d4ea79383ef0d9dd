"""`precis check` run from outside, and its answers held against planted truth.

`command` runs it and gives its JSON, `answers` takes of it what is judged, `judge` compares that
with the truth, `reasons` brings reasons to a common form, `score` counts and prints.
"""
