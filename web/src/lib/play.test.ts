import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { showLanguage } from "./i18n.svelte";
import { Play } from "./play.svelte";
import { HandModel } from "./selection.svelte";
import { settings } from "./settings.svelte";
import type { LiveTable, Outcome } from "./table.svelte";
import type { GameView, TableState, TakeChoice, WhyNot } from "./wire";

const cards = (text: string) => text.split(" ");
const WHY: WhyNot = { clause: "MELD-1", message: "No.", also: [], facts: {}, remedy: "", reason: "" };
const GAME = {
  values: { "4": 5, "9": 10, Q: 10, K: 10, A: 20, "2": 20, Jo: 50 },
  canasta_size: 7,
  runs: false,
  wild_melds: false,
  many_sets: false,
  takes: "meld_top",
  top_card_counts: true,
};
const SAMBA = { runs: true, same_suit_runs: true, many_sets: true, wild_melds: true };

interface Setting {
  hand: string;
  game?: Partial<GameView>;
  phase?: "draw" | "play";
  pile?: string;
  minimum?: number;
  melds?: { name: string; cards: string[]; full: boolean }[];
  takes?: Partial<TakeChoice>[];
  can?: string[];
}

/** A player at a table whose answers the test chooses. */
function seat({ hand, game = {}, phase = "play", pile = "4c", minimum = 0, melds = [], takes = [], can = ["draw"] }: Setting) {
  const moves: string[] = [];
  const checked: string[] = [];
  const model = new HandModel();
  model.update(cards(hand), "own");
  const you = {
    seat: 0,
    cards: cards(hand),
    turn: true,
    can: phase === "draw" ? can : [],
    takes: takes.map((take) => ({ move: "", cards: [], onto: "", short: 0, counted: 0, ...take })),
    no_take: null,
    can_discard: phase === "play",
    barred: [],
    talon: [],
    laid_points: 0,
  };
  const table = {
    hand: model,
    state: {
      state: 1,
      seat: 0,
      phase,
      turn: 0,
      seats: [{ seat: 0, side: 0, name: "South" }],
      sides: [{ minimum, opened: minimum === 0, melds }],
      pile: { cards: cards(pile) },
      you,
    } as unknown as TableState,
    welcome: { game: { ...GAME, ...game } },
    hints: null,
    outcome: { done: true } as Outcome,
    move(move: string): Promise<Outcome> {
      moves.push(move);
      return Promise.resolve(this.outcome);
    },
    why: WHY as WhyNot | null,
    check(move: string): Promise<WhyNot | null> {
      checked.push(move);
      return Promise.resolve(this.why);
    },
  };
  const play = new Play(table as unknown as LiveTable);
  const pick = (text: string) => {
    for (const card of cards(text)) {
      const one = model.fan.find((held) => held.card === card && !model.picked.has(held.id));
      model.toggle(one!.id);
    }
  };
  const bright = () => play.buttons.filter((button) => button.bright).map((button) => button.deed);
  return { play, model, moves, checked, table, pick, bright };
}

vi.stubGlobal("document", { documentElement: {} });
beforeEach(() => {
  settings.discardPause = "off";
});

describe("laying melds", () => {
  it("lays at once when the side has melded", async () => {
    const { play, pick, moves } = seat({ hand: "Kh Kd Kc 4h" });
    pick("Kh Kd Kc");
    await play.do("meld");
    expect(moves).toEqual(["meld Kh Kd Kc"]);
  });

  it("adds to what lies, and lays what is new, in turn", async () => {
    const melds = [{ name: "9", cards: cards("9h 9h 9h"), full: false }];
    const { play, pick, moves } = seat({ hand: "Kh Kd Kc 9c 4h", melds });
    pick("Kh Kd Kc 9c");
    await play.do("meld");
    expect(moves).toEqual(["meld Kh Kd Kc", "add 9c to 9"]);
  });

  it("puts aside what is below the minimum, and lays all as one move when it is enough", async () => {
    const { play, model, table, pick, moves, bright } = seat({ hand: "Kh Kd Kc Ah Ad Jo 4h", minimum: 90 });
    pick("Kh Kd Kc");
    await play.do("meld");
    expect(moves).toEqual([]);
    expect(play.count).toMatchObject({ have: 30, needed: 90, enough: false });
    expect(bright()).toEqual([]);
    table.outcome = { done: false, why: WHY, stale: false };
    await play.do("meld");
    expect(play.note).toMatchObject({ about: "meld", why: WHY });
    table.outcome = { done: true };
    pick("Ah Ad Jo");
    await play.do("meld");
    expect(moves).toEqual(["meld Kh Kd Kc", "meld Kh Kd Kc + Ah Ad Jo"]);
    expect(model.selected).toEqual([]);
  });

  it("asks where a wild card goes when several melds could have it", async () => {
    const { play, pick, moves } = seat({ hand: "Kh Kd Kc 9h 9c 9d 2c 4h" });
    pick("Kh Kd Kc 9h 9c 9d 2c");
    await play.do("meld");
    expect(moves).toEqual([]);
    expect(play.placeQuestion).toMatchObject({ cards: ["2c"], choices: ["K", "9"] });
    await play.choosePlace("9");
    expect(moves).toEqual(["meld Kh Kd Kc + 9h 9c 9d 2c"]);
  });

  describe("beside melds that the cards could join", () => {
    const laid = (...melds: [string, string][]) => melds.map(([name, text]) => ({ name, cards: cards(text), full: false }));
    const samba = (hand: string, ...melds: [string, string][]) => {
      const one = seat({ hand, game: SAMBA, melds: laid(...melds) });
      one.table.why = null;
      return one;
    };

    it("asks whether three of a rank are a second meld", async () => {
      for (const [place, move] of [
        ["new", "meld Kh Kd Kc"],
        ["K", "add Kh Kd Kc to K"],
      ] as const) {
        const { play, pick, moves } = samba("Kh Kd Kc 4h", ["K", "Ks Ks Kh"]);
        pick("Kh Kd Kc");
        expect(play.startsMeld).toBe(true);
        await play.do("meld");
        expect(moves).toEqual([]);
        expect(play.placeQuestion).toMatchObject({ cards: cards("Kh Kd Kc"), choices: ["K", "new"] });
        await play.choosePlace(place);
        expect(moves).toEqual([move]);
      }
    });

    it("asks whether a sequence is a second one, and takes the answer from the meld itself", async () => {
      const { play, pick, moves } = samba("8h 9h Th 4c", ["run#1", "4h 5h 6h 7h"]);
      pick("8h 9h Th");
      await play.do("meld");
      expect(play.placeQuestion?.choices).toEqual(["run#1", "new"]);
      await play.addTo("run#1");
      expect(moves).toEqual(["add 8h 9h Th to run#1"]);
    });

    it("asks whether wild cards are a second wild meld", async () => {
      const { play, pick, moves } = samba("2c 2d Jo 4c", ["W", "2h 2h 2s"]);
      pick("2c 2d Jo");
      await play.do("meld");
      expect(play.placeQuestion?.choices).toEqual(["W", "new"]);
      await play.choosePlace("new");
      expect(moves).toEqual(["meld 2c 2d Jo"]);
    });

    it("asks for each rank in turn", async () => {
      const { play, pick, moves } = samba("Kh Kd Kc 9h 9d 9c 4h", ["K", "Ks Ks Kh"], ["9", "9s 9s 9s"]);
      pick("Kh Kd Kc 9h 9d 9c");
      await play.do("meld");
      await play.choosePlace("new");
      expect(play.placeQuestion?.cards).toEqual(cards("9h 9d 9c"));
      await play.choosePlace("9");
      expect(moves).toEqual(["meld Kh Kd Kc", "add 9h 9d 9c to 9"]);
    });

    it("asks which of two melds one card joins, a set or a sequence", async () => {
      const { play, pick, moves } = samba("7h 4c", ["7", "7s 7s 7c"], ["run#1", "4h 5h 6h"]);
      pick("7h");
      expect(play.startsMeld).toBe(false);
      await play.do("meld");
      await play.choosePlace("run#1");
      expect(moves).toEqual(["add 7h to run#1"]);
    });

    it("asks nothing when the rules allow one place only", async () => {
      const { play, pick, moves, table } = samba("Kh Kd Kc 4h", ["K", "Ks Ks Kh"]);
      table.check = (move) => Promise.resolve(move.startsWith("add") ? WHY : null);
      pick("Kh Kd Kc");
      await play.do("meld");
      expect(moves).toEqual(["meld Kh Kd Kc"]);
    });

    it("asks nothing when a side has one meld of a rank", async () => {
      const { play, pick, moves, checked } = seat({ hand: "Kh Kd Kc 4h", melds: laid(["K", "Ks Ks Kh"]) });
      pick("Kh Kd Kc");
      await play.do("meld");
      expect(moves).toEqual(["add Kh Kd Kc to K"]);
      expect(checked).toEqual([]);
    });

    it("asks about melds put aside too", async () => {
      const { play, model, pick, moves } = seat({ hand: "Kh Kd Kc Ks Kh Kd 4h 5c", game: SAMBA, minimum: 90 });
      pick("Kh Kd Kc");
      await play.do("meld");
      pick("Ks Kh Kd");
      await play.do("meld");
      expect(play.placeQuestion?.choices).toHaveLength(2);
      await play.choosePlace("new");
      expect(model.groups.map((one) => one.cards.length)).toEqual([3, 3]);
      expect(moves).toEqual([]);
    });
  });

  it("says why, beside the cards that make no meld", async () => {
    const { play, model, pick, moves } = seat({ hand: "Kh 9d 4h" });
    pick("Kh 9d");
    await play.do("meld");
    expect(moves).toEqual([]);
    expect(play.note).toMatchObject({ about: "meld", why: WHY, refused: true, ids: model.selected.map((one) => one.id) });
  });

  it("leaves it to the rules whether cards that it cannot sort are a meld", async () => {
    const { play, table, pick, moves } = seat({ hand: "Kh 9d 4h" });
    table.why = null;
    pick("Kh 9d");
    await play.do("meld");
    expect(moves).toEqual(["meld Kh 9d"]);
    expect(play.note).toBeNull();
  });

  it("asks before the draw whether the cards could be melded with the pile", async () => {
    const takes = [{ move: "take Qh Qd", cards: cards("Qh Qd"), short: 60, counted: 30 }];
    const { play, pick, checked } = seat({ hand: "Qh Qd Kh 9d", phase: "draw", pile: "Qc", minimum: 90, takes });
    pick("Kh 9d");
    await play.do("meld");
    expect(checked).toEqual(["take Qh Qd + Kh 9d"]);
    expect(play.note).toMatchObject({ about: "meld", why: WHY });
  });
});

describe("taking the pile", () => {
  const pair = { move: "take Qh Qd", cards: cards("Qh Qd"), short: 60, counted: 30 };

  it("takes the only way there is", async () => {
    const { play, moves } = seat({ hand: "Qh Qd 4h", phase: "draw", pile: "4c Qc", takes: [{ ...pair, short: 0 }] });
    await play.do("take");
    expect(moves).toEqual(["take Qh Qd"]);
  });

  it("asks when there are several", async () => {
    const takes = [
      { move: "take onto Q", onto: "Q" },
      { move: "take Qh Qd", cards: cards("Qh Qd") },
    ];
    const { play, moves } = seat({ hand: "Qh Qd 4h", phase: "draw", pile: "Qc", takes });
    await play.do("take");
    expect(play.takeMenu).toHaveLength(2);
    await play.take(play.takeMenu![0]);
    expect(moves).toEqual(["take onto Q"]);
  });

  it("is short of the minimum until more is put aside", async () => {
    const { play, table, pick, moves, checked, bright } = seat({
      hand: "Qh Qd Ah Ad Jo 4h",
      phase: "draw",
      pile: "Qc",
      minimum: 90,
      takes: [pair],
    });
    expect(bright()).toEqual(["draw"]);
    await play.explain("take");
    expect(checked).toEqual(["take Qh Qd"]);
    expect(play.note).toMatchObject({ about: "take", why: WHY });
    table.outcome = { done: false, why: WHY, stale: false };
    await play.do("take");
    expect(play.note).toMatchObject({ about: "take", why: WHY, refused: true });
    table.outcome = { done: true };
    pick("Ah Ad Jo");
    await play.do("meld");
    expect(bright()).toContain("take");
    await play.do("take");
    expect(moves).toEqual(["take Qh Qd", "take Qh Qd + Ah Ad Jo"]);
  });

  it("understands all cards selected at once", async () => {
    const { play, pick, moves } = seat({
      hand: "Qh Qd Ah Ad Jo 4h",
      phase: "draw",
      pile: "Qc",
      minimum: 90,
      takes: [pair],
    });
    pick("Qh Qd Ah Ad Jo");
    await play.do("take");
    expect(moves).toEqual(["take Qh Qd + Ah Ad Jo"]);
  });

  it("is bright while the selected cards are a take that the rules allow", async () => {
    const { play, table, pick, bright, checked } = seat({
      hand: "Qh Qd Ah Ad Jo 4h",
      phase: "draw",
      pile: "Qc",
      minimum: 90,
      takes: [pair],
    });
    pick("Qh Qd Ah Ad");
    await play.checkTake();
    expect(bright()).toEqual(["draw", "meld"]);
    table.why = null;
    pick("Jo");
    await play.checkTake();
    expect(checked.at(-1)).toBe("take Qh Qd + Ah Ad Jo");
    expect(bright()).toEqual(["draw", "take", "meld"]);
    expect(play.primary).toBe("take");
    pick("4h");
    expect(bright()).toEqual(["draw", "meld"]);
  });

  it("is not the thing to do next when nothing is selected", async () => {
    const { play } = seat({ hand: "Qh Qd 4h", phase: "draw", pile: "Qc", takes: [{ ...pair, short: 0 }] });
    await play.checkTake();
    expect(play.primary).toBe("draw");
  });

  it("goes with the staged set of the top card's rank", async () => {
    const { play, pick, moves } = seat({
      hand: "Qh Qd Ah Ad Jo 4h",
      phase: "draw",
      pile: "Qc",
      minimum: 90,
      takes: [pair],
    });
    pick("Qh Qd");
    await play.do("meld");
    pick("Ah Ad Jo");
    await play.do("meld");
    expect(play.count).toMatchObject({ have: 120, top: 10, enough: true });
    await play.do("take");
    expect(moves).toEqual(["take Qh Qd + Ah Ad Jo"]);
  });
});

describe("the discard and refusals", () => {
  it("discards the one selected card", async () => {
    const { play, pick, moves } = seat({ hand: "Kh 4h" });
    await play.do("discard");
    expect(play.note?.refused).toBe(true);
    pick("4h");
    expect(play.primary).toBe("discard");
    await play.do("discard");
    expect(moves).toEqual(["discard 4h"]);
  });

  describe("that waits", () => {
    beforeEach(() => {
      settings.discardPause = "on";
      vi.useFakeTimers();
    });
    afterEach(() => void vi.useRealTimers());

    it("goes after its pause, and once however often it is pressed", async () => {
      const { play, pick, moves, table } = seat({ hand: "Kh 4h" });
      table.check = () => Promise.resolve(null);
      pick("4h");
      await play.do("discard");
      await play.do("discard");
      expect(moves).toEqual([]);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(moves).toEqual(["discard 4h"]);
    });

    it("is taken back by whatever the player does next, so that no second card follows", async () => {
      for (const next of ["pick", "hint", "undo", "other card"] as const) {
        const { play, model, pick, moves, table } = seat({ hand: "Kh 4h" });
        table.check = () => Promise.resolve(null);
        pick("4h");
        await play.do("discard");
        expect(play.discarding).not.toBeNull();
        if (next === "pick") play.hush();
        if (next === "hint") await play.follow("discard Kh");
        if (next === "undo") await play.send("undo", "other");
        if (next === "other card") await play.drop([model.held.find((one) => one.card === "Kh")!.id], "pile");
        await vi.advanceTimersByTimeAsync(5_000);
        const sent = { pick: [], hint: ["discard Kh"], undo: ["undo"], "other card": ["discard Kh"] };
        expect(moves).toEqual(sent[next]);
      }
    });
  });

  it("shows a refusal beside its card, and keeps still when the table has moved on", async () => {
    const { play, model, pick, table } = seat({ hand: "Kh 4h" });
    table.outcome = { done: false, why: WHY, stale: false };
    pick("4h");
    await play.do("discard");
    expect(play.note).toMatchObject({ about: "discard", why: WHY, ids: [model.selected[0]!.id] });
    play.hush();
    table.outcome = { done: false, why: WHY, stale: true };
    await play.do("discard");
    expect(play.note).toBeNull();
  });

  it("asks the table why not for whoever is not to play, and says its names in the language", async () => {
    const { play, table, checked } = seat({ hand: "Kh 4h" });
    table.state.you = null;
    table.state.seats[0] = { ...table.state.seats[0]!, name: "Guest 2", who: "person" };
    table.why = { ...WHY, reason: "NOT_YOUR_TURN", facts: { name: "Guest 2" } };
    await showLanguage("es");
    await play.explain("meld");
    await showLanguage("en");
    expect(checked).toEqual(["draw"]);
    expect(play.note?.why.facts).toEqual({ name: "Invitado 2" });
  });

  it("drops cards on the pile, on a meld and on the felt", async () => {
    const melds = [{ name: "9", cards: cards("9h 9h 9h"), full: false }];
    const { play, model, moves } = seat({ hand: "9c 4h Kh Kd Kc", melds });
    const ids = (text: string) => cards(text).map((card) => model.held.find((one) => one.card === card)!.id);
    await play.drop(ids("9c"), "meld:9");
    await play.drop(ids("Kh Kd Kc"), "felt");
    await play.drop(ids("4h"), "pile");
    expect(moves).toEqual(["add 9c to 9", "meld Kh Kd Kc", "discard 4h"]);
  });
});
