import { describe, expect, it } from "vitest";
import { matchingGames, courseOf, numbersOf, outcomeOf } from "./my_games";
import type { FinishedGame } from "./rest";

function game(parts: Partial<FinishedGame>): FinishedGame {
  const hands = [
    { points: 300, canastas: 1, piles: 2, out: true },
    { points: 100, canastas: 0, piles: 0, out: false },
  ];
  return {
    id: "a", ended: 0, rules: "caliente", title: "Canasta Caliente", names: ["Ada", "Béatrice"], seat: 0, side: 0,
    scores: [400, 200], winner: 0, level: "club", hands, kept: false, ...parts,
  };
}

const WON = game({});
const LOST = game({ id: "b", rules: "bolivia", title: "Bolivia", winner: 1, level: "people" });
const RECORD = game({ id: "my.c", seat: -1, winner: 1, hands: [] });

describe("my games", () => {
  it("end one way or another", () => {
    expect([WON, LOST, RECORD, game({ winner: -2 }), game({ winner: -1 })].map(outcomeOf)).toEqual([
      "won", "lost", "open", "draw", "open",
    ]);
  });

  it("add up, without records of others", () => {
    expect(numbersOf([WON, LOST, RECORD])).toEqual({
      games: 2, won: 1, hands: 4, points: 200, canastas: 0.5, piles: 1, out: 0.5, best: 300,
    });
    expect(numbersOf([]).points).toBe(0);
    expect(courseOf([LOST, WON, RECORD]).map(({ id, points, outcome }) => [id, points, outcome])).toEqual([
      ["a", 200, "won"], ["b", 200, "lost"],
    ]);
  });

  it("are found by words, game and level", () => {
    const find = (asked: Partial<{ words: string; rules: string; level: string }>) =>
      matchingGames([WON, LOST, RECORD], { words: "", rules: "", level: "", ...asked }, ({ title }) => title).map(({ id }) => id);
    expect(find({ words: "beatrice BOLIVIA" })).toEqual(["b"]);
    expect(find({ rules: "caliente" })).toEqual(["a", "my.c"]);
    expect(find({ level: "people" })).toEqual(["b"]);
    expect(find({ words: "nobody" })).toEqual([]);
  });
});
