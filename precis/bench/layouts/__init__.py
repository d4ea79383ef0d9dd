"""Random type definitions, and what compilers say of their layout.

`definitions` makes structs, unions and enums, `conversions` lists mixed operands, `questions` puts
what is asked about them into one program, `answers` has it answered by gcc and by Precis.
"""
