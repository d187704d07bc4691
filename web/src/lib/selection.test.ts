import { describe, expect, it } from "vitest";
import { HandModel } from "./selection.svelte";

const cards = (text: string) => text.split(" ");
const shown = (hand: HandModel) => hand.fan.map((one) => one.card).join(" ");
const id = (hand: HandModel, card: string, nth = 0) => hand.held.filter((one) => one.card === card)[nth]!.id;

function dealt(text: string): HandModel {
  const hand = new HandModel();
  hand.update(cards(text), "rank");
  return hand;
}

describe("the own hand", () => {
  it("keeps each card's id from state to state and marks what is new", () => {
    const hand = dealt("Kh 4c Kh 9d");
    const before = hand.held.map((one) => one.id);
    expect(hand.held.some((one) => one.fresh)).toBe(false);
    hand.update(cards("Kh 4c Kh 9d 7s"), "rank");
    expect(shown(hand)).toBe("4c 7s 9d Kh Kh");
    expect(hand.held.filter((one) => one.fresh).map((one) => one.card)).toEqual(["7s"]);
    expect(hand.held.map((one) => one.id).filter((one) => before.includes(one))).toEqual(before);
    hand.update(cards("Kh 4c Kh 9d 7s"), "rank");
    expect(hand.held.some((one) => one.fresh)).toBe(false);
  });

  it("loses the very king that was picked", () => {
    const hand = dealt("Kh Kh");
    const [first, second] = hand.held.map((one) => one.id);
    hand.toggle(first!);
    hand.update(["Kh"], "rank");
    expect(hand.held.map((one) => one.id)).toEqual([second]);
    expect(hand.selected).toEqual([]);
  });

  it("picks all cards of a rank that are in the fan, or puts all of them back", () => {
    const hand = dealt("Kh Kc Kd 9d 3h 3c");
    hand.toggle(id(hand, "Kc"));
    hand.toggleRank(id(hand, "Kd"));
    expect(hand.selectedCards).toEqual(["Kc", "Kd", "Kh"]);
    hand.toggleRank(id(hand, "Kd"));
    expect(hand.selectedCards).toEqual([]);
    hand.toggleRank(id(hand, "3h"));
    expect(hand.selectedCards).toEqual(["3h"]);
    hand.naturalThrees = true;
    hand.toggleRank(id(hand, "3h"));
    expect([...hand.selectedCards].sort()).toEqual(["3c", "3h"]);
  });

  it("keeps the player's own order", () => {
    const hand = dealt("4c 7s 9d");
    hand.reorder([id(hand, "9d")], id(hand, "4c"));
    expect(shown(hand)).toBe("9d 4c 7s");
    hand.update(cards("4c 7s 9d Kh"), "own");
    expect(shown(hand)).toBe("9d 4c 7s Kh");
    hand.reorder([id(hand, "9d")], null);
    expect(shown(hand)).toBe("4c 7s Kh 9d");
    hand.sort("rank");
    expect(shown(hand)).toBe("4c 7s 9d Kh");
  });

  it("stages, adds to what is staged, and gives back", () => {
    const hand = dealt("4c Kh Kd Ks Kc");
    for (const card of ["Kh", "Kd", "Ks"]) hand.toggle(id(hand, card));
    hand.stage([{ name: "K", cards: cards("Kh Kd Ks"), onto: "" }]);
    expect(shown(hand)).toBe("4c Kc");
    expect(hand.groups).toEqual([{ name: "K", cards: cards("Kh Kd Ks"), onto: "" }]);
    hand.toggle(id(hand, "Kc"));
    hand.stage([{ name: "K", cards: ["Kc"], onto: hand.asMelds()[0]!.name }]);
    expect(hand.stagedCards).toEqual(cards("Kh Kd Ks Kc"));
    hand.unstage(hand.staged[0]!.key);
    expect(shown(hand)).toBe("4c Kc Kd Ks Kh");
    expect(hand.selected).toEqual([]);
  });

  it("forgets staged cards that were laid", () => {
    const hand = dealt("4c Kh Kd Ks");
    for (const card of ["Kh", "Kd", "Ks"]) hand.toggle(id(hand, card));
    hand.stage([{ name: "K", cards: cards("Kh Kd Ks"), onto: "" }]);
    hand.update(["4c"], "rank");
    expect(hand.staged).toEqual([]);
    expect(shown(hand)).toBe("4c");
  });

  it("knows no card of the hand before", () => {
    const hand = dealt("4c Kh Kd");
    const before = hand.held.map((one) => one.id);
    hand.empty();
    hand.update(cards("4c Kh 9s"), "rank");
    expect(hand.held.some((one) => one.fresh || before.includes(one.id))).toBe(false);
  });

  it("picks the cards of a hint, one card for each word", () => {
    const hand = dealt("4c Kh Kd 9s");
    hand.pick([(card) => card[0] === "K", (card) => card[0] === "K", (card) => card === "Qs"]);
    expect(hand.selectedCards).toEqual(["Kd", "Kh"]);
  });
});
