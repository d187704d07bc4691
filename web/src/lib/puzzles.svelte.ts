// Puzzles: the player's choice of puzzles, and the figures of a solution.

import type { Calls, PuzzleGame, PuzzleRow, Solution, Standing } from "./rest";

export const THEMES = ["takes", "openings", "melds", "discards", "freezing", "going_out"] as const;
export const DIFFICULTIES = [1, 2, 3, 4] as const;
export const MINE = ["new", "right", "wrong"] as const;

/** The player's filter for this puzzle and the next; empty fields match any. */
class PuzzleFilter {
  rules = $state("");
  theme = $state<PuzzleRow["theme"] | "">("");
  difficulty = $state("");
  mine = $state<PuzzleRow["mine"] | "">("");

  /** The parameters of a call, without empty fields. */
  get parameters(): Calls["GET /api/puzzles"]["takes"] {
    return {
      rules: this.rules || undefined,
      theme: this.theme || undefined,
      difficulty: Number(this.difficulty) || undefined,
      mine: this.mine || undefined,
    };
  }
}

export const filter = new PuzzleFilter();

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
