// Numbers derived from the review of a hand.

import type { DecisionReport, HandReport, SharesReport } from "./rest";

export const KINDS = ["takes", "openings", "melds", "discards", "freezing", "going_out"] as const;
/** The number of deals below which no result counts as clear; as in canasta/review/evaluation.py. */
export const FEWEST_CLEAR = 8;
export const LUCK = ["deal", "draws", "lay"] as const;
export const PLAY = ["play", "others"] as const;

export interface Accuracy {
  kind: string;
  count: number;
  good: number;
  /** Never negative: by chance, the estimates of good decisions could add up to less than zero. */
  lost: number;
  error: number;
}

/** By kind of decision, and in total; kinds that did not occur are left out. */
export function accuracyOf(decisions: readonly DecisionReport[]): Accuracy[] {
  const groups: [string, readonly DecisionReport[]][] = [
    ...KINDS.map((kind): [string, DecisionReport[]] => [kind, decisions.filter((one) => one.kind === kind)]),
    ["all", decisions],
  ];
  return groups
    .filter(([, those]) => those.length > 0)
    .map(([kind, those]) => ({
      kind,
      count: those.length,
      good: those.filter(({ clear }) => !clear).length,
      lost: Math.max(0, those.reduce((sum, { loss }) => sum + loss, 0)),
      error: Math.hypot(...those.map(({ error }) => error)),
    }));
}

/** The sums over several hands, by side. */
export function sharesOf(hands: readonly HandReport[]): SharesReport[] {
  const parts = ["points", "ahead", "luck", "deal", "draws", "lay", "play", "others"] as const;
  return (hands[0]?.sides ?? []).map((_, side) => {
    const sums = parts.map((part) => [part, hands.reduce((sum, hand) => sum + (hand.sides[side]?.[part] ?? 0), 0)]);
    return Object.fromEntries(sums) as unknown as SharesReport;
  });
}

/** Whole points that add up: the rounding error goes to the laying of cards. */
export function wholePoints(shares: SharesReport): SharesReport {
  const { points, ahead, deal, draws, play, others } = Object.fromEntries(
    Object.entries(shares).map(([part, value]) => [part, Math.round(value as number)]),
  ) as unknown as SharesReport;
  const luck = ahead - play - others;
  return { points, ahead, deal, draws, play, others, luck, lay: luck - deal - draws };
}

/** The place in the course after this many moves; 0 is the deal. */
export function placeAt(course: readonly { move: number }[], move: number): number {
  return course.filter((point) => point.move <= move).length;
}

/** The decision in the position after this many moves. */
export function decisionsAt(review: HandReport | null, move: number): DecisionReport[] {
  return review?.decisions.filter((decision) => decision.move === move) ?? [];
}
