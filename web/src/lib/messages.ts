// Helpers for messages: better words for texts that the server sends in English.

import { ApiError } from "./api";
import type { DefectRow } from "./rest";
import { has, language, t, voice } from "./i18n.svelte";
import type { GameView } from "./wire";

/** The message for a key, or the server's text if the page has none. */
export function messageOr(key: string, otherwise: string): string {
  return has(key) ? t(key) : otherwise;
}

/** The title of a table's game in the player's language. */
export function titleOf(game: GameView): string {
  return game.titles[language()] ?? game.title;
}

export function levelName(level: string): string {
  return voice().sayOr(`levels.${level}`, {}, level);
}

/** How players of a level play. */
export function levelNote(level: string): string {
  return voice().sayOr(`levels.${level}.note`, {}, level);
}

/** One sentence for any failed request; `known` has the messages for certain responses. */
export function problemText(problem: unknown, known: Record<number, string> = {}): string {
  if (!(problem instanceof ApiError)) return t("error.unexpected");
  const key = known[problem.status];
  if (key !== undefined) return t(key);
  if (problem.status === 0) return t("error.network");
  if (problem.status >= 500 || problem.message === "") return t("error.unexpected");
  return problem.message;
}

/** “A”, “A and B”, “A, B and C” in the language's style; or with “or”. */
export function joinWords(
  names: readonly string[],
  language: string,
  type: "conjunction" | "disjunction" = "conjunction",
): string {
  return new Intl.ListFormat(language, { type }).format(names);
}

/** The defect of a house rule and its remedy, worded by the server in the requested language. */
export function defectText({ problem, remedy }: Pick<DefectRow, "problem" | "remedy">): string {
  const semicolon = language() === "fr" ? "\u00a0;" : ";";
  const whole = remedy ? `${problem}${semicolon} ${remedy}` : problem;
  return /[.?]$/.test(whole) ? whole : `${whole}.`;
}
