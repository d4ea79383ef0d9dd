"""Results as people read them.

terminal.py      text made safe for a terminal
log_lines.py     lines made safe for build systems
excerpt.py       the source line of a place, with a caret under it
rules.py         per rule: title, CWE, what to do about it
assumptions.py   per assumption: its title
checked.py       what became of each program of a check; the overall verdict
text.py          a check as text
plain.py         a check as JSON
sarif.py         a check as SARIF
source.py        source files as reports name and read them
sheet.py         several pictures as one SVG
svg.py           a picture as SVG
picture_text.py  a picture as text for a terminal
layout.py        where boxes stand and how arrows run, for both
  layers.py      which column a box stands in
  placement.py   how high it stands there
  routes.py      how arrows go round boxes
metrics.py       how large things are on paper
shorten.py       pictures too large for it
"""
