"""The command line: choices are made here and nowhere else.

main.py     commands and options; the only file that exits and reads the environment
bench.py    `precis bench`; it and main.py are the only files that print
options.py  the options that several commands share
wiring.py   names -> front ends, domains
targets.py  PATHs and options -> programs: files, folders, projects
commands.py what each command does
runs.py     `precis run`: one program, a folder, a batch of inputs
messages.py what a run says on the terminal; lines.py: text of others in it
pictures.py a snapshot of memory -> a picture; picture_rows.py: a block -> rows

check.py           `precis check`: from options to reports
check_task.py      the check of one program
property_files.py  the properties that are asked for, by name or by .prp file
task_files.py      task files of SV-COMP: programs, properties, expected verdicts
lowering.py        `precis lower`
flags.py           compiler flags after `--`
workers.py         programs in processes of their own
outputs.py         files that are written whole or not at all
progress.py        one line on the terminal that says what goes on
summaries.py       `precis summarize`
"""
