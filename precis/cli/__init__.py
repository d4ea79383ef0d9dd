"""The command line: choices are made here and nowhere else.

main.py     commands and options; the only file that prints, exits and reads the environment
options.py  the options that several commands share
wiring.py   names -> front ends, properties
commands.py what each command does
runs.py     `precis run`: one program, a folder, a batch of inputs
messages.py what a run says on the terminal
pictures.py a snapshot of memory -> a picture; picture_rows.py: a block -> rows
"""
