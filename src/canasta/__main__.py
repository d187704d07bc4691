"""Where the program starts: nothing is loaded before Ctrl+C can be answered."""


def main() -> None:
    """Run the command line; Ctrl+C ends it without a word, however early it comes.

    A part that is not installed is told in a sentence.
    """
    import os  # noqa: PLC0415 - part of the interpreter, there already
    import sys  # noqa: PLC0415 - likewise

    # For a player that has learned, NumPy starts in half the time so. More threads are no faster and take
    # twice the processor's time; computer players that think at once have processes of their own.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        import signal  # noqa: PLC0415 - as above

        if sys.platform != "win32":
            # The launcher holds Ctrl+C back while the interpreter starts, which nobody could answer.
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        from canasta.commands.line import main as run  # noqa: PLC0415 - as above

        run()
    except KeyboardInterrupt:  # before or after the command line's own hold on it
        raise SystemExit(130) from None
    except ModuleNotFoundError as error:
        from canasta.extras import why_missing  # noqa: PLC0415 - as above

        sentence = why_missing("this", error.name)
        if not sentence:
            raise
        print(f"canasta: {sentence}", file=sys.stderr)  # noqa: T201 - typer may be what is missing
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
