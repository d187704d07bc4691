import { describe, expect, it } from "vitest";
import {
  choiceOf,
  group,
  isPure,
  isRun,
  meldMoves,
  openingCount,
  otherWay,
  pointsOf,
  takeMove,
  targets,
  usable,
  usesOfTop,
} from "./actions";
import type { GameView, MeldView, TableState } from "./wire";

const GAME = {
  values: { "4": 5, "7": 5, "9": 10, Q: 10, K: 10, A: 20, "2": 20, Jo: 50, "3b": 5 },
  canasta_size: 7,
  runs: false,
  same_suit_runs: false,
  wild_melds: false,
  top_card_counts: true,
} as unknown as GameView;
const SAMBA = { ...GAME, runs: true, same_suit_runs: true } as GameView;
const BOLIVIA = { ...SAMBA, wild_melds: true } as GameView;

const cards = (text: string) => text.split(" ");
const meld = (name: string, text: string, full = false): MeldView => ({
  name,
  cards: cards(text),
  canasta: "",
  points: 0,
  full,
  grade: "",
  wild: -1,
  stands_for: "",
});
const grouped = (text: string, game = GAME, melds: MeldView[] = [], top: string | null = null) => {
  const { groups, wilds, left } = group(cards(text), { game, melds, top });
  return {
    groups: groups.map((one) => one.cards.join(" ") + (one.onto && ` > ${one.onto}`)),
    wilds,
    left,
  };
};

describe("selected cards become melds", () => {
  it("sets by rank, in the order they were selected", () => {
    expect(grouped("Kh 9c Kd 9d Kc 9s").groups).toEqual(["Kh Kd Kc", "9c 9d 9s"]);
  });

  it("gives wilds to the only set", () => {
    expect(grouped("Kh 2c Kd Jo").groups).toEqual(["Kh Kd 2c Jo"]);
  });

  it("gives wilds to the sets that lack cards", () => {
    expect(grouped("Kh Kd Kc 9c 9d 2c").groups).toEqual(["Kh Kd Kc", "9c 9d 2c"]);
  });

  it("asks where several sets could have the wild", () => {
    expect(grouped("Kh Kd Kc 9c 9d 9h 2c")).toMatchObject({ wilds: ["2c"], left: [] });
  });

  it("leaves what makes no meld", () => {
    expect(grouped("Kh Kd")).toEqual({ groups: [], wilds: [], left: ["Kh", "Kd"] });
    expect(grouped("Jo 2c 2d").left).toEqual(["Jo", "2c", "2d"]);
  });

  it("goes onto what lies on the table", () => {
    const melds = [meld("K", "Ks Ks Kh"), meld("9", "9h 9h 9h", true)];
    expect(grouped("Kh 2c", GAME, melds).groups).toEqual(["Kh 2c > K"]);
    expect(grouped("9c 9d 9s", GAME, melds).groups).toEqual(["9c 9d 9s"]);
    expect(grouped("2c", GAME, melds).groups).toEqual(["2c > K"]);
  });

  it("asks which meld gets wilds selected alone", () => {
    const found = group(["2c"], { game: GAME, melds: [meld("K", "Ks Ks Kh"), meld("9", "9h 9h 9h")] });
    expect(found).toMatchObject({ wilds: ["2c"], choices: ["K", "9"] });
  });

  it("counts the pile's top card while it can be taken", () => {
    expect(grouped("Qh Qd Ah Ad Jo", GAME, [], "Qc").groups).toEqual(["Qh Qd", "Ah Ad Jo"]);
  });

  it("finds sequences where the game has them", () => {
    expect(grouped("6h 4h 5h", SAMBA).groups).toEqual(["4h 5h 6h"]);
    expect(grouped("6h 4h 5h").left).toHaveLength(3);
    expect(grouped("4h 5h 6h Kc Kd Kh", SAMBA).groups).toEqual(["4h 5h 6h", "Kc Kd Kh"]);
    expect(grouped("7h", SAMBA, [meld("run#1", "4h 5h 6h")]).groups).toEqual(["7h > run#1"]);
    expect(isRun(cards("4h 5h 6d"), SAMBA)).toBe(false);
    expect(isRun(cards("Qh Kh Ah"), SAMBA)).toBe(true);
    expect(isRun(cards("Ah 2h 4h"), SAMBA)).toBe(false);
  });

  it("melds wilds alone only where that is played", () => {
    expect(grouped("2c Jo 2d", BOLIVIA).groups).toEqual(["2c Jo 2d"]);
    expect(grouped("2c", BOLIVIA, [meld("W", "2c 2c Jo")]).groups).toEqual(["2c > W"]);
  });
});

describe("moves in our notation", () => {
  it("lays new melds as one move and each addition as its own", () => {
    const groups = [
      { name: "K", cards: cards("Kh Kd Kc"), onto: "" },
      { name: "9", cards: cards("9c"), onto: "9" },
      { name: "A", cards: cards("Ah Ad Jo"), onto: "" },
    ];
    expect(meldMoves(groups)).toEqual(["meld Kh Kd Kc + Ah Ad Jo", "add 9c to 9"]);
  });

  it("takes the pile with the staged set of its rank, and the rest beside it", () => {
    const groups = [
      { name: "A", cards: cards("Ah Ad Jo"), onto: "" },
      { name: "Q", cards: cards("Qh Qd"), onto: "" },
    ];
    expect(takeMove(null, groups, "Qc")).toBe("take Qh Qd + Ah Ad Jo");
  });

  it("takes the pile as chosen", () => {
    const onto = { move: "take onto K", cards: [], onto: "K", short: 0, counted: 0, lacks: "" };
    expect(takeMove(onto, [], "Kc")).toBe("take onto K");
    const pair = { ...onto, move: "take Kh Kd", cards: cards("Kh Kd"), onto: "" };
    expect(takeMove(pair, [{ name: "9", cards: cards("9c 9d 9h"), onto: "" }], "Kc")).toBe("take Kh Kd + 9c 9d 9h");
    expect(choiceOf(cards("Kc Kd"), [onto, pair])).toBe(pair);
    expect(choiceOf(cards("Kc 2d"), [onto, pair])).toBeNull();
  });

  it("offers no way to take the pile with cards that are staged", () => {
    const pair = { move: "", cards: cards("Kh Kd"), onto: "", short: 0, counted: 0, lacks: "" };
    expect(usable([pair], cards("Kh Kd Jo"), ["Kh"])).toEqual([]);
    expect(usable([pair], cards("Kh Kh Kd Jo"), ["Kh"])).toEqual([pair]);
  });

  it("knows which melds cards could be meant for", () => {
    const melds = [meld("K", "Ks Ks Kh"), meld("9", "9h 9h 9h"), meld("run#1", "4h 5h 6h"), meld("A", "Ah Ah Ah", true)];
    expect(targets(["Kc"], melds, SAMBA)).toEqual(["K"]);
    expect(targets(["2c"], melds, SAMBA)).toEqual(["K", "9"]);
    expect(targets(["7h"], melds, SAMBA)).toEqual(["run#1"]);
    expect(targets(["Ad"], melds, SAMBA)).toEqual([]);
    expect(targets([], melds, SAMBA)).toEqual([]);
  });
});

describe("the first meld", () => {
  const state = (part: object) =>
    ({
      phase: "play",
      seat: 0,
      seats: [{ seat: 0, side: 0 }],
      sides: [{ minimum: 90, opened: false, melds: [] }],
      pile: { cards: ["4c", "Qc"] },
      you: { seat: 0, laid_points: 0 },
      ...part,
    }) as unknown as TableState;
  const queens = { name: "Q", cards: cards("Qh Qd"), onto: "" };
  const aces = { name: "A", cards: cards("Ah Ad Jo"), onto: "" };

  it("counts what is staged, and the top card where it will be melded", () => {
    expect(pointsOf(aces.cards, GAME)).toBe(90);
    expect(openingCount(state({}), GAME, [aces])).toEqual({ have: 90, needed: 90, enough: true, top: 0 });
    expect(openingCount(state({ phase: "draw" }), GAME, [queens])).toMatchObject({ have: 30, top: 10, enough: false });
    const without = { ...GAME, top_card_counts: false } as GameView;
    expect(openingCount(state({ phase: "draw" }), without, [queens])).toMatchObject({ have: 20, top: 0 });
  });

  it("asks nothing of a side that has melded", () => {
    const open = state({ sides: [{ minimum: 0, opened: true, melds: [] }] });
    expect(openingCount(open, GAME, [aces])).toBeNull();
  });
});

describe("a game with long sequences", () => {
  const game = { ...GAME, long_runs: true };

  it("takes the chosen cards for one meld, wilds and threes among them", () => {
    const found = group(["3h", "Jo", "5h"], { game, melds: [] });
    expect(meldMoves(found.groups)).toEqual(["meld 3h 5h Jo"]);
    expect(group(["3h", "Jo"], { game, melds: [] }).left).toEqual(["3h", "Jo"]);
  });

  it("finds the melds that cards fit, by their places and one wild card at most", () => {
    const melds = [meld("run#1", "5h Jo 7h"), meld("run#2", "Qh Kh Ah"), meld("3", "3c 3d 3s"), meld("run#3", "3s 4s 5s")];
    const fits = (text: string) => targets(cards(text), melds, game);
    expect(fits("6h")).toEqual(["run#1"]);
    expect(fits("9h")).toEqual([]);
    expect(fits("Jh")).toEqual(["run#2"]);
    expect(fits("Jo")).toEqual(["run#2", "3", "run#3"]);
    expect(fits("3h")).toEqual(["3"]);
    expect(fits("As 2s")).toEqual(["run#3"]);
    expect(fits("4h 2h")).toEqual([]);
  });

  it("asks where cards go that could be more than one thing", () => {
    const melds = [meld("run#1", "5h 6h 7h"), meld("run#2", "9h Th Jh")];
    expect(group(cards("8h"), { game, melds }).choices).toEqual(["run#1", "run#2"]);
    expect(group(cards("8h 9h Th"), { game, melds }).choices).toEqual(["run#1", "new"]);
    expect(meldMoves(group(cards("4h"), { game, melds }).groups)).toEqual(["add 4h to run#1"]);
  });

  it("lays more of a rank onto the set that lies there", () => {
    const found = group(cards("3h 3d 2c"), { game, melds: [meld("3", "3c 3d 3s")] });
    expect(meldMoves(found.groups)).toEqual(["add 3h 3d 2c to 3"]);
  });

  it("has two ways for a wild card at an end, and one for a wild card between", () => {
    expect(otherWay({ ...meld("run#1", "5h 6h Jo"), wild: 2 })).toEqual(cards("Jo 5h 6h"));
    expect(otherWay({ ...meld("run#1", "5h Jo 7h"), wild: 1 })).toBeNull();
    expect(otherWay(meld("run#1", "5h 6h 7h"))).toBeNull();
  });

  it("uses the top card in a new meld or on one that lies there", () => {
    const melds = [meld("run#1", "8h 9h Th")];
    const ways = (text: string) => usesOfTop(cards(text), "6h", melds, game).map(({ move }) => move);
    expect(ways("7h")).toEqual(["take 7h onto run#1"]);
    expect(ways("5h 7h")).toEqual(["take 5h 7h", "take 5h 7h onto run#1"]);
    expect(ways("Kc")).toEqual(["take Kc"]);
  });

  it("takes the pile as it lies", () => {
    const choice = { move: "take", cards: [], onto: "", short: 0, counted: 0, lacks: "" };
    expect(takeMove(choice, [], "Kh")).toBe("take");
  });
});

describe("a first meld with a contract", () => {
  it("needs a meld without wild cards", () => {
    const one = (text: string) => ({ name: "", cards: cards(text), onto: "" });
    expect(isPure(one("9c 9d 9h"))).toBe(true);
    expect(isPure(one("2c 2d Jo"))).toBe(true);
    expect(isPure(one("Kc Kd Jo"))).toBe(false);
    expect(isPure(one("Kc Kd"))).toBe(false);
  });
});
