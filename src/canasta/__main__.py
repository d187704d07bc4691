"""The entry point. Nothing is imported before Ctrl+C is handled."""


def main() -> None:
    """Run the command line. Ctrl+C ends it silently, however early it comes.

    A missing optional package ends it with a clear error message.
    """
    import os  # noqa: PLC0415 - part of the interpreter, already loaded
    import sys  # noqa: PLC0415 - as above

    # NumPy starts twice as fast with one thread, which the learned players need. More threads would not be
    # faster and would double the processor time; computer players that think in parallel use separate
    # processes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        import signal  # noqa: PLC0415 - as above

        if sys.platform != "win32":
            # The launcher blocks Ctrl+C while the interpreter starts, when nothing could handle it.
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        from canasta.commands.cli import main as run  # noqa: PLC0415 - as above

        run()
    except KeyboardInterrupt:  # before or after the command line's own handler
        raise SystemExit(130) from None
    except ModuleNotFoundError as error:
        from canasta.installation import why_missing  # noqa: PLC0415 - as above

        sentence = why_missing("this", error.name)
        if not sentence:
            raise
        print(f"canasta: {sentence}", file=sys.stderr)  # noqa: T201 - typer may be what is missing
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
