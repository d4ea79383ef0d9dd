"""The domain `values`: numbers, and pointers to blocks (docs/domains/values.md).

domain.py      `Values`, which implements Domain; the file to read first
state.py       a state; order.py: how states compare; heap.py: its blocks as a graph
value.py       what a variable or cell may hold; num.py, num_bits.py: intervals with strides
intervals.py   the numeric domain of variables (implements Numeric)
memory.py      blocks: loads, stores; memory_order.py: their order; bulk.py: copies and fills
world.py       what is known of the program as a whole; names of blocks
terms.py       terms on states; assume.py: what follows when a condition holds
transfer.py    what steps do; control.py: the ends of blocks
judge.py       how obligations stand; leaks.py: is a block lost?
calls.py       entries, summaries and the way back; needs.py: what callers must establish
library.py     library functions that need no analysis
text.py        summaries as text and plain data; picture.py: as pictures
"""
