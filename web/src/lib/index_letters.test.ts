import { afterEach, describe, expect, it } from "vitest";
import { cardGlyphs } from "./cards";
import { hasOwnLetters, letter, printIn } from "./index_letters.svelte";
import { settings } from "./settings.svelte";

describe("letters on the cards", () => {
  afterEach(() => {
    settings.indices = "local";
    printIn("en");
  });

  it.each([
    ["de", "K D B"],
    ["fr", "R D V"],
    ["it", "R D F"],
    ["es", "K Q J"],
    ["pt", "K Q J"],
    ["en", "K Q J"],
  ])("are those that players know in %s", (language, letters) => {
    printIn(language);
    expect(["K", "Q", "J"].map(letter).join(" ")).toBe(letters);
    expect([letter("T"), letter("A"), letter("7")]).toEqual(["10", "A", "7"]);
    expect(hasOwnLetters()).toBe(letters !== "K Q J");
  });

  it("are the English ones for whoever wants them", () => {
    printIn("fr");
    expect(cardGlyphs("Qh")).toBe("D♥");
    settings.indices = "english";
    expect(cardGlyphs("Qh")).toBe("Q♥");
  });
});
