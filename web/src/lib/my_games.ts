// Statistics of a player's games.

import { withoutAccents } from "./game_search";
import type { FinishedGame, HandPlayed } from "./rest";

export interface Numbers {
  games: number;
  won: number;
  hands: number;
  /** Average points per hand. */
  points: number;
  canastas: number;
  piles: number;
  /** The share of hands in which the player went out. */
  out: number;
  best: number;
}

export type Outcome = "won" | "lost" | "draw" | "open";

export function outcomeOf({ winner, side, seat }: FinishedGame): Outcome {
  if (winner === -1 || seat < 0) return "open";
  return winner === -2 ? "draw" : winner === side ? "won" : "lost";
}

/** Counts only games in which the player has a seat. */
export function numbersOf(games: readonly FinishedGame[]): Numbers {
  const own = games.filter(({ seat }) => seat >= 0);
  const hands = own.flatMap((game) => game.hands);
  const mean = (value: (hand: HandPlayed) => number): number =>
    hands.length ? hands.reduce((sum, hand) => sum + value(hand), 0) / hands.length : 0;
  return {
    games: own.length,
    won: own.filter((game) => outcomeOf(game) === "won").length,
    hands: hands.length,
    points: mean(({ points }) => points),
    canastas: mean(({ canastas }) => canastas),
    piles: mean(({ piles }) => piles),
    out: mean(({ out }) => Number(out)),
    best: hands.length ? Math.max(...hands.map(({ points }) => points)) : 0,
  };
}

/** Points per hand, game by game, the oldest first. */
export function courseOf(games: readonly FinishedGame[], most = 40): { id: string; points: number; outcome: Outcome }[] {
  return games
    .filter(({ seat, hands }) => seat >= 0 && hands.length > 0)
    .slice(0, most)
    .reverse()
    .map((game) => ({ id: game.id, points: numbersOf([game]).points, outcome: outcomeOf(game) }));
}

/** The games that match a search, a game and a level. */
export function matchingGames(
  games: readonly FinishedGame[],
  { words, rules, level }: { words: string; rules: string; level: string },
  titleOf: (game: FinishedGame) => string,
): FinishedGame[] {
  const asked = withoutAccents(words).split(" ").filter(Boolean);
  return games.filter((game) => {
    const text = withoutAccents([titleOf(game), ...game.names].join(" "));
    return (!rules || game.rules === rules) && (!level || game.level === level) && asked.every((word) => text.includes(word));
  });
}
