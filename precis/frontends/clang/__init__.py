"""The C front end, the only folder that touches libclang.

From files to a tree of our own:
parse.py         `ClangFrontEnd`: files and flags -> Program, from the cache or in a child
source.py        files and how they are read
flags.py         the compiler flags that may reach libclang
database.py      compile_commands.json: the files of a project and their flags
system_headers.py  where this machine keeps its C headers
whole.py         what the child does: files, models and pool -> one program
inputs.py        what a translation unit was made of, for the cache
child.py         work in a child process, under limits
library.py       libclang's functions, declared for ctypes
kinds.py         the numbers of its cursors and operators
cursors.py       `Unit`, `Node`: cursors as a tree
c_types.py       `CType`: C types
tolerance.py     errors of clang that are none to gcc
printed.py       what only clang's printed form of a function tells
generic.py       which branch of a _Generic is meant

From the tree to the IR:
link.py          files and library models put together; what is lowered, and under which name
symbols.py       the names that files share, and which of several definitions counts
startup.py       what runs before and after main
models.py        which model defines which library function
fit.py           whether a model does for what a program declares
functions.py     functions -> procedures
globals.py       variables of static duration -> global blocks
body.py          a procedure while it is lowered; the tables that the modules below fill
statements.py    statements and local declarations
jumps.py         labels as values
assembler.py     assembler code
expressions.py   names, literals, members, conversions
operators.py     operators and assignments
conditions.py    conditions, && || ?:
calls.py         calls
varargs.py       variable arguments
builtins.py      malloc, free, memcpy, ... -> steps
special.py       __builtin_expect and others that only a compiler knows
initialisers.py  initialisers -> the parts they initialise
zeroing.py       the parts that an initialiser leaves to zero
literals.py      the bytes of string literals
lengths.py       the lengths of variable length arrays
types.py         C types -> IR types and layouts
builder.py       basic blocks, scopes and jumps
simplify.py      basic blocks without detours
endless.py       functions that do not return
failure.py       how lowering says that it does not know a construct
"""
