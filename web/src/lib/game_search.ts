// Finding a game: by any name that people use for it, and by three questions that its values answer.

import type { GameInfo } from "./rest";

export type Answer = "any" | "yes" | "no";

export interface Question {
  words: string;
  /** 0 means any number. */
  decks: number;
  sequences: Answer;
  secondHand: Answer;
}

export const NOTHING_ASKED: Question = { words: "", decks: 0, sequences: "any", secondHand: "any" };

/** Lower case without accents, as the server writes a game's names. */
export function withoutAccents(text: string): string {
  return text.toLowerCase().replaceAll("ß", "ss").normalize("NFD").replace(/\p{M}/gu, "");
}

function fits(answer: Answer, has: boolean): boolean {
  return answer === "any" || (answer === "yes") === has;
}

export function findGames(games: GameInfo[], asked: Question): GameInfo[] {
  const words = withoutAccents(asked.words).split(/\s+/);
  return games.filter(
    (game) =>
      words.every((word) => game.names.includes(word)) &&
      (asked.decks === 0 || asked.decks === game.decks) &&
      fits(asked.sequences, game.sequences) &&
      fits(asked.secondHand, game.second_hand),
  );
}

/** The games by family, in the order of each family's first game. */
export function byFamily(games: GameInfo[]): GameInfo[][] {
  const families = new Map<string, GameInfo[]>();
  for (const game of games) families.set(game.family, [...(families.get(game.family) ?? []), game]);
  return [...families.values()];
}
