import { describe, expect, it } from "vitest";
import { plainLook } from "../../lib/cards";
import { BACKS, settings } from "../../lib/settings.svelte";
import { backMarkup } from "./backs";
import { faceMarkup, type Layout } from "./faces";

const CARDS = [...[..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit)), "Jo", "Ca"];
const LAYOUTS: Layout[] = ["full", "large", "row"];

describe("the faces", () => {
  it("differ from card to card in every layout and family", () => {
    for (const caliente of [false, true]) {
      for (const layout of LAYOUTS) {
        const faces = CARDS.map((card) => faceMarkup(card, plainLook({ caliente }), layout));
        expect(new Set(faces).size).toBe(CARDS.length);
      }
    }
  });

  it("are sound drawings without inline styles", () => {
    for (const card of CARDS) {
      for (const layout of LAYOUTS) {
        const markup = faceMarkup(card, plainLook({ caliente: true }), layout);
        expect(markup).not.toMatch(/NaN|undefined|null| style=/);
        expect(markup.match(/<g[ >]/g)?.length ?? 0).toBe(markup.match(/<\/g>/g)?.length ?? 0);
      }
    }
  });

  it("show as many pips as the rank says, and two more in the corners", () => {
    const pips = (card: string) => faceMarkup(card, plainLook({ showValue: false }), "full").match(/M0 44C/g)?.length;
    expect([..."23456789T"].map((rank) => pips(`${rank}h`))).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(pips("Ah")).toBe(3);
  });

  it("go without figures in the plain deck", () => {
    const king = () => faceMarkup("Kh", plainLook(), "full");
    const printed = king();
    settings.deck = "plain";
    expect(king().length).toBeLessThan(printed.length);
    expect(new Set(["Kh", "Qh", "Jh"].map((card) => faceMarkup(card, plainLook(), "full"))).size).toBe(3);
    settings.deck = "parlour";
  });

  it("have backs that differ", () => {
    const backs = BACKS.map(backMarkup);
    expect(new Set(backs).size).toBe(BACKS.length);
    for (const markup of backs) expect(markup).not.toMatch(/NaN|undefined|null| style=/);
  });

  it("leave the value out when it is not wanted, or when the card has none", () => {
    const face = (card: string, showValue: boolean) => faceMarkup(card, plainLook({ showValue }), "full");
    expect(face("Kh", true).length).toBeGreaterThan(face("Kh", false).length);
    expect(face("3h", true)).toBe(face("3h", false));
  });
});
