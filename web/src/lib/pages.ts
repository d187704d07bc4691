// Written by scripts/wire_types.py from src/canasta/server/http/static_files.py; do not edit.

/** The pages by name, with their paths. */
export const PAGES = {"home":"/","new":"/new","table":"/t/{id}","games":"/games","rules":"/rules/{id?}","glossary":"/glossary","advice":"/advice","tip":"/advice/{id}","replay":"/replay/{id?}","puzzles":"/puzzles","puzzle":"/puzzles/{id}","day":"/day/{id?}","learn":"/learn","lesson":"/learn/{id}"} as const;
