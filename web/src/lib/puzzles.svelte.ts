// Puzzles: the server's data, and the player's choice of puzzles.

import type { TableState, Welcome } from "./wire";

export const THEMES = ["takes", "openings", "melds", "discards", "freezing", "going_out"] as const;
export const DIFFICULTIES = [1, 2, 3, 4] as const;
export const MINE = ["new", "right", "wrong"] as const;

export interface PuzzleRow {
  id: string;
  rules: string;
  theme: (typeof THEMES)[number];
  difficulty: number;
  mine: (typeof MINE)[number];
}

/** A solver's results. */
export interface Standing {
  rating: number;
  deviation: number;
  answered: number;
  right: number;
  streak: number;
  best_streak: number;
  /** The rating after each answer. */
  course: number[];
  themes: { theme: string; answered: number; right: number }[];
}

export interface PuzzleGame {
  name: string;
  title: string;
  family: string;
}

export interface PuzzleList {
  puzzles: PuzzleRow[];
  /** All games with puzzles. */
  games: PuzzleGame[];
  standing: Standing;
}

export interface Solution {
  chosen: number;
  best: number;
  /** This was the first answer. */
  counted: boolean;
  /** It changed the rating: nobody else at this address had seen the solution recently. */
  rated: boolean;
  numbers: { behind: number; error: number }[];
  worlds: number;
  mistake: string;
  reason: string;
  standing: Standing;
}

export interface PuzzleView {
  id: string;
  theme: PuzzleRow["theme"];
  difficulty: number;
  rating: number;
  welcome: Welcome;
  state: TableState;
  ways: { text: string; cards: string[][] }[];
  solution: Solution | null;
}

/** The player's filter for this puzzle and the next; empty fields match any. */
class Wanted {
  rules = $state("");
  theme = $state("");
  difficulty = $state("");
  mine = $state("");

  /** The filter as a query string. */
  get query(): string {
    const asked = Object.entries({ rules: this.rules, theme: this.theme, difficulty: this.difficulty, mine: this.mine });
    return new URLSearchParams(asked.filter(([, value]) => value !== "")).toString();
  }
}

export const wanted = new Wanted();

/** Games by family, in their original order. */
export function familiesOf(games: readonly PuzzleGame[]): [string, PuzzleGame[]][] {
  const found = new Map<string, PuzzleGame[]>();
  for (const game of games) found.set(game.family, [...(found.get(game.family) ?? []), game]);
  return [...found];
}

const START = 1500;

/** The rating change of the last answer. */
export function lastChange({ course }: Standing): number {
  return course.length ? course.at(-1)! - (course.at(-2) ?? START) : 0;
}

/** The bar of each option and the likely range of its true value, as shares of the longest bar. */
export function barsOf(numbers: Solution["numbers"]): { to: number; low: number; high: number }[] {
  const most = Math.max(1, ...numbers.map(({ behind, error }) => behind + 2 * error));
  return numbers.map(({ behind, error }) => ({
    to: behind / most,
    low: Math.max(0, behind - 2 * error) / most,
    high: (behind + 2 * error) / most,
  }));
}

/** The points of a line through these values, from left to right in a box of this size. */
export function lineOf(values: readonly number[], width: number, height: number): string {
  const low = Math.min(...values);
  const span = Math.max(1, Math.max(...values) - low);
  const step = width / Math.max(1, values.length - 1);
  return values.map((value, at) => `${(at * step).toFixed(1)},${(height - (height * (value - low)) / span).toFixed(1)}`).join(" ");
}
