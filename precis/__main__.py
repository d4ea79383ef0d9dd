"""`python -m precis` is the `precis` command."""

from precis.cli.main import main

main()
