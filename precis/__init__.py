"""Precis verifies programs that build and change linked data.

Words that have one meaning throughout:

program      what a front end makes of source files: procedures, globals, record layouts
procedure    a body of basic blocks; a function of the source language
step         one instruction of a block; a block ends in an *end* (jump, branch, return, ...)
term         a pure typed expression; reads no memory and has no effect
variable     a scalar local whose address is never taken; not in memory
object       a local that lives in memory; each scope entry makes a new block for it
block        a piece of memory (heap, stack, global, literal, code); also, where the context is
             control flow, a basic block
cell         a part of a memory block: offset and size
obligation   what must hold before a step, put into the program by a property
rule         the kind of a broken obligation, such as `double-free`
violation    an obligation broken by one concrete run
finding      a violation, or a suspected one, as reported
summary      what was learned of a procedure: coverage -> answer
verdict      SAFE, UNSAFE or UNKNOWN
referee      the concrete interpreter; what it says of a run is the truth
model        a library function written in C; `native`, the referee's fast twin of a model
"""

__version__ = "0.1.0"
