import { describe, expect, it } from "vitest";

import type { Dealt } from "./fair_deal";
import { Ledger, misdealOf, type LedgerRules } from "./fair_ledger";
import type { Observation } from "./observations";

const CHAIN = "0".repeat(64);
const RULES = {
  players: 2,
  takes: "pair",
  stock_floor: 0,
  deal: { sides: 2, sit_out: false, threes: "bonus", threes_laid: "turn", pots_become_stock: false },
} as unknown as LedgerRules;
const DEALT: Dealt = { hands: [["4c"], ["5c"]], feet: [[], []], bonus: [[], []], pile: [], pots: [], deck: ["7h", "3d", "3d"], at: 0 };

const deal = { what: "dealt", seat: 0, count: 1 };
const drew = (count: number) => ({ what: "drew", seat: 1, count, move: 1 });
const laid = { what: "bonus_laid", seat: 1, cards: ["3d"], move: 1 };

const seen = (events: object[], held: number[], stock: number, bonus: string[]): Observation =>
  ({
    ...{ chain: CHAIN, phase: "play", cards: null, talon: [], feet: [0, 0], talons: [0, 0], pots: [], pile: [] },
    ...{ melds: [{}, {}], shows: [[], []], log: [], seat: 0, state: stock, events, held, stock, bonus: [[], bonus] },
  }) as unknown as Observation;

describe("a red three whose twin is the last card of the stock", () => {
  const before = seen([deal], [1, 1], 3, []);

  it("is laid out from the hand when a card replaces it", () => {
    const after = seen([drew(2), laid, drew(1)], [1, 3], 0, ["3d"]);
    expect(misdealOf(DEALT, RULES, 1, 0, [before, after])).toBeNull();
  });

  it("comes from the stock when nothing replaces it", () => {
    const after = seen([drew(2), laid], [1, 3], 0, ["3d"]);
    expect(misdealOf(DEALT, RULES, 1, 0, [before, after])).toBeNull();
  });

  it("isn't laid out twice", () => {
    const ledger = new Ledger(DEALT, RULES, 1, 0);
    for (const event of [drew(2), laid, drew(1), laid]) ledger.apply(event as never);
    expect(() => ledger.apply(laid as never)).toThrow("cards");
  });
});

describe("the name of a meld", () => {
  it.each(["__proto__", "constructor", "toString"])("may be %s", (meld) => {
    const ledger = new Ledger(DEALT, RULES, 1, 0);
    ledger.apply({ what: "cards_melded", seat: 1, cards: ["5c"], meld, move: 1 } as never);
    ledger.finishMove();
    const now = seen([], [1, 0], 3, []);
    ledger.compare({ ...now, melds: [{}, Object.fromEntries([[meld, ["5c"]]])] });
    expect(() => ledger.compare(now)).toThrow("gap");
  });
});
