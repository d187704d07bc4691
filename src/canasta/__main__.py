from canasta.cli import main

main()
