import { describe, expect, it } from "vitest";
import { plainLook } from "./cards";
import { columnHeight, inColumn, inOrder, meldLabel, meldName, topCard } from "./melds";
import type { MeldView } from "./wire";

function meld(name: string, cards: string, canasta = ""): MeldView {
  return { name, cards: cards.split(" "), canasta, points: 60, full: false, grade: "", wild: -1, stands_for: "" };
}

describe("the top of a canasta", () => {
  it("is red when natural, black when mixed", () => {
    expect(topCard(meld("K", "Kc Ks Kh Kd Kc Ks Kh", "natural"))).toBe("Kh");
    expect(topCard(meld("K", "Kh Kd Kh 2h Kd Kh Ks", "mixed"))).toBe("Ks");
  });

  it("is never a wild card in a canasta of naturals, even without the right colour", () => {
    expect(topCard(meld("8", "2s 2c Jo 8h 8d 8h 8d", "mixed"))).toBe("8h");
  });

  it("is a joker on wild cards, if there is one", () => {
    expect(topCard(meld("W", "2c 2d Jo 2s 2h 2c 2d", "wild"))).toBe("Jo");
    expect(topCard(meld("W", "2c 2d 2s 2h 2c 2d 2s", "wild"))).toBe("2s");
  });
});

describe("the columns of a side", () => {
  it("stand by rank, then wild cards, then runs by suit, and canastas at the end", () => {
    const laid = [
      meld("run#2", "4s 5s 6s"),
      meld("A", "Ac Ad Ah"),
      meld("K", "Kc Kd Kh Ks Kc Kd Kh", "natural"),
      meld("W", "2c 2d Jo"),
      meld("T", "Tc Td Th"),
      meld("run#1", "7c 8c 9c"),
      meld("4#2", "4c 4d 4h"),
      meld("5", "5c 5d 5h 5s 5c 5d 2h", "mixed"),
      meld("4", "4c 4d 4h"),
    ];
    expect(inOrder(laid).map(({ name }) => name)).toEqual(["4", "4#2", "T", "A", "W", "run#1", "run#2", "5", "K"]);
    expect(laid[0]!.name).toBe("run#2");
  });

  it("are as high as their cards need", () => {
    expect(columnHeight(meld("9", "9h 9d 2c Jo"), 0.3, 0.5)).toBeCloseTo(1.4);
    expect(columnHeight(meld("9", "9h 9d 9h 9d 9h 9d 9h", "natural"), 0.3, 0.5)).toBe(1.5);
  });
});

describe("a column", () => {
  it("shows a natural card in front", () => {
    expect(inColumn(meld("9", "9h 9d 2c Jo")).map(({ card }) => card)).toEqual(["2c", "Jo", "9h", "9d"]);
  });

  it("keeps the order of a run", () => {
    expect(inColumn(meld("run#1", "4c 5c 6c")).map(({ card }) => card)).toEqual(["4c", "5c", "6c"]);
  });
});

describe("the name of a meld", () => {
  const look = plainLook();

  it("speaks of ranks", () => {
    expect(meldName(meld("K#2", "Kc Kd Kh"), look)).toBe("Kings");
    expect(meldName(meld("3b", "3c 3s 3s"), look)).toBe("Black threes");
    expect(meldName(meld("W", "2c 2d Jo"), look)).toBe("Wild cards");
    expect(meldName(meld("run#2", "4c 5c 6c"), look)).toBe("Sequence from Four of clubs to Six of clubs");
  });

  it("tells all that the eye sees", () => {
    expect(meldLabel(meld("Q", "Qc Qd Qh Qs Qc Qd Qh", "natural"), look)).toBe(
      "Queens, natural canasta, 7 cards, 60 points",
    );
  });
});
