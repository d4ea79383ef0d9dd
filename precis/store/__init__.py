"""Summaries of earlier runs, on disk.

sqlite.py      a `SummaryStore` in a file of SQLite
schema.sql     its table
codec.py       traces and what came of them, as bytes
fingerprint.py of the code of Precis that summaries depend on
"""
