// The letters of the court cards in the player's language. Spanish and Portuguese packs have J, Q and K.

import { settings } from "./settings.svelte";

const LETTERS: Record<string, Record<string, string>> = {
  de: { K: "K", Q: "D", J: "B" },
  fr: { K: "R", Q: "D", J: "V" },
  it: { K: "R", Q: "D", J: "F" },
};

class Spoken {
  language = $state("en");
}

const spoken = new Spoken();

export function printIn(language: string): void {
  spoken.language = language;
}

/** Whether the language has letters of its own, so that there is a choice. */
export function hasOwnLetters(): boolean {
  return spoken.language in LETTERS;
}

/** The rank as printed on the card: `10`, `K`, `D`. */
export function letter(rank: string): string {
  if (rank === "T") return "10";
  return (settings.indices === "local" && LETTERS[spoken.language]?.[rank]) || rank;
}
