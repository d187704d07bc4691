import { describe, expect, it } from "vitest";
import type { GameInfo } from "./rest";
import { byFamily, findGames, withoutAccents, NOTHING_ASKED } from "./game_search";

function game(name: string, family: string, names: string, decks: number, traits: string[] = []): GameInfo {
  return {
    name,
    title: name,
    titles: {},
    family,
    families: {},
    names,
    booklet: "",
    players: [4],
    default_players: 4,
    target: 5000,
    rounds: 0,
    decks,
    sequences: traits.includes("sequences"),
    second_hand: traits.includes("second hand"),
    summary: "",
    summaries: {},
  };
}

const GAMES = [
  game("classic", "Canasta", "classic canasta clasica canastra", 2),
  game("samba", "Samba", "samba", 3, ["sequences"]),
  game("duel", "Canasta", "duel duell duelo", 2),
  game("foot", "Hand & Foot", "hand & foot mao e pe hand & fuss", 5, ["second hand"]),
];

const found = (asked: Partial<typeof NOTHING_ASKED>) =>
  findGames(GAMES, { ...NOTHING_ASKED, ...asked }).map((each) => each.name);

describe("finding a game", () => {
  it("asks nothing and finds all", () => {
    expect(found({})).toEqual(["classic", "samba", "duel", "foot"]);
    expect(found({ words: "  " })).toHaveLength(4);
  });

  it("knows a game by its names in other languages, with accents or without", () => {
    expect(found({ words: "Mão  Pé" })).toEqual(["foot"]);
    expect(found({ words: "fuß" })).toEqual(["foot"]);
    expect(found({ words: "CLÁSICA" })).toEqual(["classic"]);
    expect(found({ words: "poker" })).toEqual([]);
  });

  it("goes by decks, sequences and a second hand", () => {
    expect(found({ decks: 2 })).toEqual(["classic", "duel"]);
    expect(found({ sequences: "yes" })).toEqual(["samba"]);
    expect(found({ sequences: "no", secondHand: "no" })).toEqual(["classic", "duel"]);
    expect(found({ secondHand: "yes", decks: 2 })).toEqual([]);
  });

  it("puts families together in the order of their first games", () => {
    expect(byFamily(GAMES).map((family) => family.map((each) => each.name))).toEqual([
      ["classic", "duel"],
      ["samba"],
      ["foot"],
    ]);
  });

  it("folds as the server does", () => {
    expect(withoutAccents("Hand & Fuß, Mão e Pé")).toBe("hand & fuss, mao e pe");
  });
});
