import { describe, expect, it } from "vitest";
import english from "../messages/guide/en.json";
import { ENGLISH } from "./cards";
import { cardsNamed, LESSONS, opening, runIn, tipFor, worth } from "./guide";
import type { GameView, TableState, Welcome, YourView } from "./wire";

type Frame = Welcome | TableState;
const files = import.meta.glob<Frame[]>("../../demo/fixtures/*.json", { eager: true, import: "default" });

const games = Object.entries(files).map(([path, frames]) => {
  const welcome = frames.find((frame) => frame.t === "welcome");
  if (!welcome) throw new Error(`${path} has no welcome`);
  const states = frames.filter((frame) => frame.t === "state");
  return { name: /([\w-]+)\.json$/.exec(path)?.[1] ?? path, game: welcome.game, states };
});

function caliente(): { game: GameView; state: TableState; you: YourView } {
  const found = games.find((each) => each.name === "caliente-4");
  const state = structuredClone(found?.states.find((each) => each.you !== null));
  if (!found || !state?.you) throw new Error("no fixture");
  state.status = "playing";
  state.turn = state.you.seat;
  for (const side of state.sides) Object.assign(side, { melds: [], bonus: [], opened: false, minimum: 50 });
  const you: YourView = { ...state.you, turn: true, can: [], takes: [], no_take: null, can_discard: false, laid_points: 0 };
  state.you = you;
  return { game: found.game, state, you };
}

const seenAll = new Set(LESSONS);

/** All tips that the guide has for a position, one after the other. */
function everything(game: GameView, state: TableState): string[] {
  const seen = new Set<string>();
  for (;;) {
    const tip = tipFor(game, state, [], seen);
    if (!tip) return [...seen];
    seen.add(tip.key);
  }
}

describe("tipFor on real positions", () => {
  it.each(games)("$name: every tip has a text, its parameters, and points at something real", ({ game, states }) => {
    const texts = english as Record<string, string>;
    expect(states.length).toBeGreaterThan(1);
    for (const state of states) {
      const seen = new Set<string>();
      for (let tip = tipFor(game, state, [], seen); tip; tip = tipFor(game, state, [], seen)) {
        seen.add(tip.key);
        const text = texts[`guide.${tip.key}`];
        expect([tip.key, text]).toEqual([tip.key, expect.any(String)]);
        const wanted = [...(text ?? "").matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
        const given = [...Object.keys(tip.params), ...(tip.rank === undefined ? [] : ["rank", "ranks"])];
        expect(wanted.filter((name) => !given.includes(name))).toEqual([]);
        if (tip.rank !== undefined) expect(ENGLISH.has(`cards.rank.${tip.rank}:plural`)).toBe(true);
        const [place, cards = ""] = tip.points_at.split(":");
        expect(["stock", "pile", "meld", "discard", "minimum", "hand"]).toContain(place);
        const hand = [...(state.you?.cards ?? [])];
        for (const card of cards.split(",").filter(Boolean)) {
          expect(hand).toContain(card);
          hand.splice(hand.indexOf(card), 1);
        }
      }
    }
  });

  it("says nothing to a spectator or when the hand is over", () => {
    const { game, state } = caliente();
    expect(tipFor(game, { ...state, you: null })).toBeNull();
    expect(tipFor(game, { ...state, phase: "over" })).toBeNull();
    expect(tipFor(game, { ...state, status: "waiting" })).toBeNull();
  });
});

describe("drawing", () => {
  it("shows the pair that takes the pile", () => {
    const { game, state, you } = caliente();
    state.phase = "draw";
    state.pile = { cards: ["5d", "Kc"], frozen: false, stopped: false };
    Object.assign(you, {
      cards: ["4c", "Kh", "Kd", "Kd"],
      can: ["draw"],
      takes: [{ move: "take K K", cards: ["K", "K"], onto: "", short: 0, counted: 30 }],
    });
    const tip = tipFor(game, state, [], seenAll);
    expect(tip).toEqual({ key: "take_pair", params: { count: 2 }, points_at: "hand:Kh,Kd", rank: "K" });
  });

  it("says how much the first meld lacks", () => {
    const { game, state, you } = caliente();
    state.phase = "draw";
    state.pile = { cards: ["Kc"], frozen: false, stopped: false };
    Object.assign(you, {
      cards: ["Kh", "Kd", "4c"],
      can: ["draw"],
      takes: [{ move: "take Kh Kd", cards: ["Kh", "Kd"], onto: "", short: 20, counted: 30 }],
    });
    expect(tipFor(game, state, [], seenAll)).toMatchObject({ key: "take_short", params: { needed: 50, short: 20 } });
  });

  it.each([
    ["FROZEN", "Kc", "frozen"],
    ["ALWAYS_FROZEN", "Kc", "draw"],
    ["TOP_CARD_CANNOT_BE_TAKEN", "3s", "stopped"],
    ["TOP_CARD_CANNOT_BE_TAKEN", "2s", "no_take"],
    ["FIRST_MELD_NEEDS_PAIR", "Kc", "pair_needed"],
    ["NEEDS_PAIR", "Kc", "no_take"],
  ])("explains %s with %s on top as %s", (reason, top, key) => {
    const { game, state, you } = caliente();
    state.phase = "draw";
    state.pile = { cards: [top], frozen: true, stopped: false };
    you.can = ["draw"];
    you.no_take = { clause: "PILE-8", message: "", also: [], facts: {}, remedy: "", reason };
    expect(tipFor(game, state, [], seenAll)?.key).toBe(key);
  });
});

describe("playing", () => {
  it("counts a first meld that is enough, and one that is not", () => {
    const { game, state, you } = caliente();
    state.phase = "play";
    you.cards = ["4c", "5d", "7h", "Kc", "Kd", "Kh", "As", "Ad", "2c"];
    expect(tipFor(game, state, [], seenAll)).toEqual({
      key: "minimum_enough",
      params: { have: 90, needed: 50 },
      points_at: "hand:Kc,Kd,Kh,As,Ad,2c",
    });
    you.cards = ["4c", "5d", "7h", "Kc", "Kd", "Kh", "As"];
    expect(everything(game, state)[0]).toBe("minimum_short");
  });

  it("follows the hint where there is one", () => {
    const { game, state, you } = caliente();
    state.phase = "play";
    you.cards = ["4c", "Kc", "Kd", "Kh", "Qs", "Qd", "Jo", "5h"];
    const hints = [{ move: "meld Q Q Jo", text: "", numbers: {}, reasons: [] }];
    expect(tipFor(game, state, hints, seenAll)?.points_at).toBe("hand:Qs,Qd,Jo");
  });

  it("adds to melds, melds sets and keeps a card to discard", () => {
    const { game, state, you } = caliente();
    state.phase = "play";
    const side = state.sides.find((each) => each.seats.includes(you.seat));
    const meld = { name: "K", cards: ["Kc", "Kd", "Kh", "Ks", "Kc"], canasta: "", points: 50, full: false };
    Object.assign(side ?? {}, { opened: true, minimum: 0, melds: [meld] });
    you.cards = ["Ks", "9c", "9d", "9h", "4s"];
    you.can_discard = true;
    const tips = everything(game, state);
    expect(tips).toContain("add_one");
    expect(tips).toContain("meld_set");
    expect(tips).toContain("canasta_near");
    you.cards = ["Ks", "4s"];
    expect(everything(game, state)).not.toContain("add_one");
    expect(tipFor(game, state, [], seenAll)).toMatchObject({ key: "discard", rank: "4", points_at: "hand:4s" });
  });

  it("teaches stop cards, wild cards and red threes once", () => {
    const { game, state, you } = caliente();
    state.phase = "play";
    state.sides[0]?.bonus.push("3h");
    you.cards = ["3s", "2c", "9d", "4s"];
    you.can_discard = true;
    const tips = everything(game, state);
    for (const key of ["stop_card_caliente", "wilds_caliente", "freeze", "red_three_caliente"]) {
      expect(tips).toContain(key);
      expect(LESSONS).toContain(key);
    }
  });
});

describe("tips of other families", () => {
  const CLASSIC = ["stop_card", "stop_card_caliente", "freeze", "red_three", "red_three_caliente", "wilds", "runs"];

  it("say nothing of stop cards and frozen piles where threes are natural and the pile is free", () => {
    const { game: old, state, you } = caliente();
    const game: GameView = { ...old, caliente_names: false, runs: true, long_runs: true, pots: 2, takes: "free", threes: "natural", sets: false };
    for (const side of state.sides) Object.assign(side, { opened: true, minimum: 0 });
    state.phase = "play";
    you.cards = ["3s", "2c", "9d", "9h", "9s", "4s"];
    you.can_discard = true;
    const tips = everything(game, state);
    for (const key of [...CLASSIC, "your_cards", "meld_set"]) expect(tips).not.toContain(key);
    for (const key of ["wilds_long", "runs_long", "pot"]) expect(tips).toContain(key);
    state.phase = "draw";
    you.takes = [{ move: "take", cards: [], onto: "", short: 0, counted: 0, lacks: "" }];
    expect(everything(game, state)).toContain("take_free");
  });

  it("tell of the pure meld, of threes and of a special hand", () => {
    const { game: old, state, you } = caliente();
    const game: GameView = { ...old, caliente_names: false, threes: "bonus", pure_meld: true };
    state.sides[0]?.bonus.push("3h");
    state.phase = "play";
    you.cards = ["3s", "2c", "9d", "4s"];
    you.can_discard = true;
    const tips = everything(game, state);
    for (const key of CLASSIC.filter((each) => each !== "wilds")) expect(tips).not.toContain(key);
    for (const key of ["minimum_pure", "threes"]) expect(tips).toContain(key);
    you.can = ["special straight"];
    expect(everything(game, state)).toEqual(["special"]);
  });
});

describe("helpers", () => {
  it("finds named cards in a hand, each once", () => {
    expect(cardsNamed(["K", "Kh", "3r"], ["Kh", "Kd", "3d"])).toEqual(["Kh", "3d"]);
    expect(cardsNamed(["Kh", "K", "Q"], ["Kh", "Kd"])).toEqual(["Kh", "Kd"]);
  });

  it("finds sequences, of one suit where they must be", () => {
    expect(runIn(["4c", "5d", "6h", "9s", "Ts"], false)).toEqual(["4c", "5d", "6h"]);
    expect(runIn(["4c", "5d", "6h"], true)).toEqual([]);
    expect(runIn(["Js", "Qs", "Ks", "As", "4s"], true)).toEqual(["Js", "Qs", "Ks", "As"]);
    expect(runIn(["2s", "3s", "4s", "5s"], false)).toEqual([]);
  });

  it("opens with whole sets before it spends wild cards", () => {
    const { game } = caliente();
    const hand = ["Kc", "Kd", "Kh", "Ac", "Ad", "Ah", "9c", "9d", "Jo"];
    expect(opening(game, hand, 50)).toEqual(["Ac", "Ad", "Ah"]);
    expect(worth(game, opening(game, hand, 120))).toBe(160);
  });
});
