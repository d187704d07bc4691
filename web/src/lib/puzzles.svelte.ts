// Puzzles: what the server tells of them, and which of them somebody wants.

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

/** How a solver stands. */
export interface Standing {
  rating: number;
  deviation: number;
  answered: number;
  right: number;
  streak: number;
  best_streak: number;
  /** The rating after every answer. */
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
  /** All that have puzzles. */
  games: PuzzleGame[];
  standing: Standing;
}

export interface Solution {
  chosen: number;
  best: number;
  /** This was the first answer. */
  counted: boolean;
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

/** Which puzzles are wanted, here and for the next one; empty fields want any. */
class Wanted {
  rules = $state("");
  theme = $state("");
  difficulty = $state("");
  mine = $state("");

  /** As the server is asked. */
  get query(): string {
    const asked = Object.entries({ rules: this.rules, theme: this.theme, difficulty: this.difficulty, mine: this.mine });
    return new URLSearchParams(asked.filter(([, value]) => value !== "")).toString();
  }
}

export const wanted = new Wanted();

/** Games by family, in the order in which they come. */
export function familiesOf(games: readonly PuzzleGame[]): [string, PuzzleGame[]][] {
  const found = new Map<string, PuzzleGame[]>();
  for (const game of games) found.set(game.family, [...(found.get(game.family) ?? []), game]);
  return [...found];
}

const START = 1500;

/** What the last answer changed. */
export function lastChange({ course }: Standing): number {
  return course.length ? course.at(-1)! - (course.at(-2) ?? START) : 0;
}

/** How far the bar of a way reaches, and from where to where the true value may well lie: shares of the longest. */
export function barsOf(numbers: Solution["numbers"]): { to: number; low: number; high: number }[] {
  const most = Math.max(1, ...numbers.map(({ behind, error }) => behind + 2 * error));
  return numbers.map(({ behind, error }) => ({
    to: behind / most,
    low: Math.max(0, behind - 2 * error) / most,
    high: (behind + 2 * error) / most,
  }));
}

/** The points of a line through these values, in a box of this size, from the left to the right. */
export function lineOf(values: readonly number[], width: number, height: number): string {
  const low = Math.min(...values);
  const span = Math.max(1, Math.max(...values) - low);
  const step = width / Math.max(1, values.length - 1);
  return values.map((value, at) => `${(at * step).toFixed(1)},${(height - (height * (value - low)) / span).toFixed(1)}`).join(" ");
}
