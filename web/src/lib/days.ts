// The deal of the day: whether a seed matches its commitment, and dates in words.

import { commitTo } from "./fair";
import type { DayLine } from "./rest";
import type { TableState, Welcome } from "./wire";

/** Whether others may still play this deal: until its seed is published, it has no record or replay. */
export function withholdsDeal(welcome: Pick<Welcome, "day">, now: Pick<TableState, "fair">): boolean {
  return welcome.day !== "" && !now.fair?.dealt?.server_seed;
}

/** `changed`: a different commitment was shown here before. `wrong`: the seed doesn't match the commitment. */
export type Fit = "fits" | "wrong" | "changed" | "untold";

export function fitOf(day: DayLine, seenBefore: string | undefined): Fit {
  if (seenBefore !== undefined && seenBefore !== day.commitment) return "changed";
  if (!day.seed) return "untold";
  const place = { table: `day-${day.date}`, hand: 1, round: 1, seat: -1 };
  return commitTo(day.seed, place) === day.commitment ? "fits" : "wrong";
}

const KEPT = "canasta.days";
const MOST_KEPT = 100;

/** The first commitment seen by this browser for each day, which exposes a server that changes one. */
export function remember(days: readonly DayLine[]): Record<string, string> {
  let kept: Record<string, string> = {};
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    if (typeof found === "object" && found !== null) kept = found as Record<string, string>;
    const all = { ...Object.fromEntries(days.map(({ date, commitment }) => [date, commitment])), ...kept };
    const latest = Object.entries(all).sort().slice(-MOST_KEPT);
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(latest)));
  } catch {
    // a browser without storage can only compare with the current data
  }
  return kept;
}

/** A day in words, as a UTC date regardless of the time zone. */
export function dayWords(date: string, language: string, long = true): string {
  const options = long ? ({ weekday: "long", day: "numeric", month: "long" } as const) : ({ day: "numeric", month: "short" } as const);
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(language, { ...options, timeZone: "UTC" });
}

/** Call `ask` every `pause` milliseconds until it returns true, also after failures. The returned function stops it. */
export function askUntil(ask: () => Promise<boolean>, pause: number): () => void {
  let left = false;
  let timer = setTimeout(again, pause);
  async function again(): Promise<void> {
    const enough = await ask().catch(() => false);
    if (!enough && !left) timer = setTimeout(again, pause);
  }
  return () => {
    left = true;
    clearTimeout(timer);
  };
}
