import sys

try:
    from canasta.cli import main

    main()
except KeyboardInterrupt:  # before or after the command line's own hold on it
    sys.exit(130)
