"""Abstract domains, and what they share.

picture.py  boxes and arrows: a memory, or a state that stands for many, as reports draw it
"""
