"""The commands `canasta play`, `tui` and `serve`: what can be asked; `commands` has how it is done."""

from typing import Annotated

import typer

from canasta.cli_words import Lang, Options, Players, complete_bot, complete_preset, examples

MaybeRules = Annotated[
    str | None,
    typer.Option(
        "--rules", "-r", metavar="NAME", help="The game, or a file of rules.", autocompletion=complete_preset
    ),
]
Bot = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="How well the others play: random, novice, casual, club or expert.",
        autocompletion=complete_bot,
    ),
]
Port = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, max=65535, help="The port; by default 8765, or one that is free."),
]
Seed = Annotated[str | None, typer.Option(metavar="TEXT", help="The same text deals the same cards again.")]
Record = Annotated[
    str | None, typer.Option(metavar="FILE", help="Write the game to this file while it is played.")
]
Save = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Keep the game in this file; by default in your data folder."),
]
NoSave = Annotated[bool, typer.Option("--no-save", help="Keep nothing of the game.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the game that was left.")]
New = Annotated[bool, typer.Option("--new", help="Begin a new game, without a question.")]


def play(  # noqa: PLR0913, PLR0917 - each argument is an option of the command
    rules: MaybeRules = None,
    players: Players = None,
    option: Options = None,
    bot: Bot = None,
    port: Port = None,
    open_page: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the page, or only say where it is.")
    ] = None,
    text: Annotated[
        bool, typer.Option("--text", help="Type your moves in the terminal, line by line.")
    ] = False,
    seed: Seed = None,
    record: Record = None,
    names: Annotated[
        str | None, typer.Option(metavar="A,B,…", help="Who sits where, you first, with commas between.")
    ] = None,
    save: Save = None,
    no_save: NoSave = False,
    resume: Resume = False,
    new: New = False,
    lang: Lang = None,
) -> None:
    """Open the table in the browser.

    Without a game the first page offers them all. With --text there is no browser: you type moves such as
    "draw", "meld K K K" or "discard 7"; --seed, --record, --names, --lang, --save, --no-save, --resume and
    --new belong to that table. A game that is left there is kept, and goes on another day.
    """
    from canasta.commands.asked import Asked, Keeping

    keeping = Keeping(save, no_save=no_save, resume=resume, new=new)
    if text:
        from canasta.commands.play import play_match, refuse_browser_options
        from canasta.commands.spoken import ask_for

        ask_for(lang)
        refuse_browser_options(port=port, open_page=open_page)
        asked = Asked([] if rules is None else [rules], players, option or [])
        play_match(asked, bot=bot, seed=seed, record=record, names=names, keeping=keeping)
        return
    from canasta.commands.serve import play_in_browser, refuse_text_options

    refuse_text_options(
        {"--seed": seed, "--record": record, "--names": names, "--lang": lang, **keeping.wanted()}
    )
    asked = Asked([rules or "caliente"], players, option or [])
    chosen = None if rules is None and players is None and not option and bot is None else asked
    play_in_browser(chosen, bot=bot or "club", port=port, open_page=open_page is not False)


def tui(  # noqa: PLR0913, PLR0917 - each argument is an option of the command
    rules: MaybeRules = None,
    players: Players = None,
    option: Options = None,
    bot: Bot = None,
    seed: Seed = None,
    record: Record = None,
    join: Annotated[
        str | None, typer.Option(metavar="LINK", help="Sit down at a table of a running server.")
    ] = None,
    replay: Annotated[str | None, typer.Option(metavar="FILE", help="Look through a record.")] = None,
    letters: Annotated[
        bool, typer.Option("--letters", help="Write suits as letters, for fonts without the symbols.")
    ] = False,
    save: Save = None,
    no_save: NoSave = False,
    resume: Resume = False,
    new: New = False,
    lang: Lang = None,
) -> None:
    """Play at a table that fills the terminal, with keys and mouse.

    Without a game it asks which one. It needs 80 by 20 characters and grows with the window. A game that is
    left is kept, and goes on another day.
    """
    from canasta.commands.asked import Asked, Keeping
    from canasta.commands.spoken import ask_for
    from canasta.commands.tui import open_terminal_table

    ask_for(lang)
    open_terminal_table(
        Asked([] if rules is None else [rules], players, option or []),
        bot=bot,
        seed=seed,
        record=record,
        join=join,
        letters=letters,
        replay=replay,
        keeping=Keeping(save, no_save=no_save, resume=resume, new=new),
    )


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Port = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="postgresql://… or the path of an SQLite file; by default one in your data folder.",
        ),
    ] = None,
    redis: Annotated[
        str | None, typer.Option(metavar="URL", help="redis://…, where several servers share a database.")
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL", help="The address that players type, where a proxy stands before the server."
        ),
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rules", "-r", metavar="FILE.toml", help="A file of house rules that the new-table page offers."
        ),
    ] = None,
) -> None:
    """Run a server of tables for others to join.

    Prints its address. Stops at Ctrl+C or SIGTERM; every table goes on where it was at the next start.
    """
    from canasta.commands.serve import run_server

    run_server(host=host, port=port, database=database, redis=redis, origins=origin or [], rules=rules or [])


def register(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "canasta play",
            "canasta play --rules jaques-samba --players 4 --bot expert",
            "canasta play --text --rules two-player --seed tuesday",
        )
    )(play)
    app.command(
        epilog=examples(
            "canasta tui", "canasta tui --rules hand-and-foot", "canasta tui --replay evening.canasta"
        )
    )(tui)
    app.command(epilog=examples("canasta serve", "canasta serve --host 0.0.0.0 --port 8000"))(serve)
