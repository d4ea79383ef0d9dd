"""Properties: what is asked of a program, as obligations in its IR.

place.py          `with_obligations`: Program -> Program with `Check` steps
memory_safety.py  valid reads, writes, frees and calls
leaks.py          `leaks`: no block is lost; `cleanup`: all are freed at the end
uninitialised.py  no indeterminate value is used
assertions.py     assertions hold, error functions are not reached
overflow.py       `overflow`: signed arithmetic and shifts; `division`: by zero

A property answers, for one step and for the end of a block, which obligations stand before it.
"""
