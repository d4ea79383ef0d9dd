"""The referee: runs the IR as C would, and says exactly where a run goes wrong.

run.py         `run`: program, inputs, settings -> outcome; the file to read first
outcome.py     inputs, settings, outcomes, violations
machine.py     one run: memory, inputs, procedures, the explicit stack
probe.py       many short runs of one program; audit.py: is a run the only one?
compile.py     a procedure -> a Python function; shared.py: what is kept for the next run
  flow.py      its control flow -> loops and branches of Python; regions.py finds the loops
  steps.py     its steps -> statements; access.py: loads and stores; checks.py: obligations
  terms.py     its terms -> expressions
  code.py      the lines of a function, each with the step it belongs to
memory.py      blocks and where they lie; cells.py: loads and stores; bulk.py: copies and fills
globals.py     the blocks that exist before a run starts
choose.py      nondeterministic inputs
arith.py       arithmetic that Python's operators do not give
faults.py      how a run ends early
report.py      a broken obligation -> a violation with stack, values and trace;
               naming.py: an address as C would write it
leaks.py       which blocks are lost, and the exact step that lost the first one
heap.py        memory at a line of the program, for pictures
record.py      a run as JSON, and back
natives.py     library functions in Python; natives_*.py by area; plain.py: what they may read

The generated Python holds numbers only: names, places and constants of the program are in
tables beside it.
"""
