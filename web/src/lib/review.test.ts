import { describe, expect, it } from "vitest";
import { accuracyOf, decisionsAt, placeAt, wholePoints, sharesOf } from "./review";
import type { DecisionReport, HandReport } from "./rest";

const decision = (parts: Partial<DecisionReport>): DecisionReport => ({
  turn: 1, move: 0, seat: 0, kind: "discards", played: ["discard K"], best: ["discard 5"], loss: 0, error: 0, against_club: 0, worlds: 8,
  candidates: 2, clear: false, ...parts,
});
const shares = { points: 100, ahead: 30.4, luck: 0, deal: 10.4, draws: 20.4, lay: 0, play: -10.4, others: 10.0 };
const hand = { decisions: [decision({ move: 3 }), decision({ move: 5 })], sides: [shares, shares] } as HandReport;

describe("a review", () => {
  it("counts decisions by kind, and all of them", () => {
    const found = accuracyOf([
      decision({ loss: 30, error: 3, clear: true }),
      decision({ loss: 10, error: 4 }),
      decision({ kind: "takes" }),
    ]);
    expect(found.map(({ kind, count, good, lost }) => [kind, count, good, lost])).toEqual([
      ["takes", 1, 1, 0],
      ["discards", 2, 1, 40],
      ["all", 3, 2, 40],
    ]);
    expect(found[1]?.error).toBeCloseTo(5);
    expect(accuracyOf([decision({ loss: -63 })]).map(({ lost }) => lost)).toEqual([0, 0]);
    expect(accuracyOf([])).toEqual([]);
  });

  it("tells luck and play in whole points that add up, of one hand and of several", () => {
    for (const { ahead, luck, deal, draws, lay, play, others } of sharesOf([hand, hand, hand]).map(wholePoints)) {
      expect(ahead).toBe(91);
      expect(luck + play + others).toBe(ahead);
      expect(deal + draws + lay).toBe(luck);
    }
  });

  it("knows where a move is in the course, and what was decided there", () => {
    const course = [{ move: 1 }, { move: 2 }, { move: 5 }];
    expect([0, 1, 3, 5, 9].map((move) => placeAt(course, move))).toEqual([0, 1, 2, 3, 3]);
    expect(decisionsAt(hand, 5).map(({ move }) => move)).toEqual([5]);
    expect(decisionsAt(null, 5)).toEqual([]);
  });
});
