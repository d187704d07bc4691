import { describe, expect, it } from "vitest";
import { cardGlyphs, cardLabel, cardName, cardsInShort, cardValue, isWild, parseCard, plainLook, rankKey, sortCards } from "./cards";

describe("cards in little room", () => {
  it("say a rank once", () => {
    expect(cardsInShort(["3h", "3d", "3h"])).toBe("3♦♥♥");
    expect(cardsInShort(["Jo", "Th", "Tc"])).toBe("10♣♥ Jo");
    expect(cardsInShort([])).toBe("");
  });
});

describe("a card from its text", () => {
  it("knows rank, suit and kind", () => {
    expect(parseCard("Kh")).toMatchObject({ rank: "K", suit: "h", kind: "natural", red: true });
    expect(parseCard("2s").kind).toBe("wild");
    expect(parseCard("3d").kind).toBe("bonus");
    expect(parseCard("3c").kind).toBe("stop");
    expect(parseCard("Ca").kind).toBe("caliente");
  });

  it("does not take other texts for cards", () => {
    for (const text of ["", "K", "Kx", "1h", "Khh", "10h", "jo"]) expect(parseCard(text).rank).toBe("");
  });

  it("is wild as a two or a joker only", () => {
    expect(["2c", "Jo", "3c", "Ac", "Ca"].map(isWild)).toEqual([true, true, false, false, false]);
  });

  it("names its rank as moves do", () => {
    expect(["3h", "3s", "Jo", "Td", "2c"].map(rankKey)).toEqual(["3r", "3b", "Jo", "T", "2"]);
  });
});

describe("words", () => {
  it("calls cards by their names", () => {
    const look = plainLook();
    expect(cardName("Kh", look)).toBe("King of hearts");
    expect(cardName("Jo", look)).toBe("Joker");
    expect(cardLabel("Td", look)).toBe("Ten of diamonds, 10 points");
    expect(cardLabel("3h", look)).toBe("Three of hearts");
  });

  it("uses the names of the Caliente family where they apply", () => {
    const look = plainLook({ caliente: true });
    expect(cardName("2s", look)).toBe("Little Wild, Two of spades");
    expect(cardName("3d", look)).toBe("Bonus, Three of diamonds");
    expect(cardName("3c", look)).toBe("Stop, Three of clubs");
    expect(cardName("9c", look)).toBe("Nine of clubs");
  });

  it("writes short forms", () => {
    expect(["Th", "As", "Jo"].map(cardGlyphs)).toEqual(["10♥", "A♠", "Jo"]);
  });

  it("takes the value from the game, not from habit", () => {
    expect(cardValue("Kh", { K: 15 })).toBe(15);
    expect(cardValue("3h", { "3b": 5 })).toBeNull();
  });
});

describe("order", () => {
  it("by rank puts wild cards and threes behind the aces", () => {
    expect(sortCards(["Jo", "3h", "Ac", "4d", "2s", "Th"])).toEqual(["4d", "Th", "Ac", "2s", "Jo", "3h"]);
  });

  it("by suit keeps runs together", () => {
    expect(sortCards(["9h", "8c", "2c", "7c", "9c", "8h"], "suit")).toEqual(["7c", "8c", "9c", "8h", "9h", "2c"]);
  });

  it("leaves its argument alone", () => {
    const cards = ["Kc", "4c"];
    sortCards(cards);
    expect(cards).toEqual(["Kc", "4c"]);
  });
});
