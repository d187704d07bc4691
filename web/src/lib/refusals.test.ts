import { describe, expect, it } from "vitest";
import { loadParts, Voice } from "./catalogue";
import { refusalText as said } from "./refusals";
import type { WhyNot } from "./wire";

function why(reason: string, facts: WhyNot["facts"], message = "English.", remedy = "Do this."): WhyNot {
  return { clause: "PILE-8", message, also: [], facts, remedy, reason };
}

async function refusalText(reason: WhyNot, language: string, caliente = false) {
  return said(reason, new Voice(language, await loadParts(language, ["cards", "refusals", "notation"]), caliente));
}

const pile = { rank: "K", naturals: 1, held: 1, pile: 5 };

describe("refusalText", () => {
  it("says the numbers and ranks of the refusal in the language", async () => {
    expect((await refusalText(why("FROZEN", pile), "es")).message).toBe(
      "El pozo está congelado: necesitas dos reyes naturales de tu mano y ofreces 1.",
    );
    expect((await refusalText(why("FROZEN", pile), "de")).remedy).toContain("zwei natürlichen Königen");
    const aces = { ...pile, rank: "A" };
    expect((await refusalText(why("FROZEN", aces), "fr")).message).toContain("une paire naturelle d’as");
    const minimum = why("BELOW_MINIMUM", { needed: 90, have: 75 });
    expect((await refusalText(minimum, "it")).message).toMatch(/90 punti.*75/);
  });

  it("says what can’t be read, once", async () => {
    const facts = { unreadable: "NOT_A_CARD", text: "W", how: "WILD_CARD" };
    expect(await refusalText(why("UNREADABLE", facts), "de")).toEqual({
      message: "„W“ ist keine Karte: eine wilde Karte ist 2 oder Jo.",
      remedy: "",
    });
    const endless = { ...facts, how: "NOT_A_CARD" };
    expect((await refusalText(why("UNREADABLE", endless), "de")).message).toBe("English.");
  });

  it("has the names of the Caliente booklets", async () => {
    const discard = why("RED_THREE_DISCARD", {});
    expect((await refusalText(discard, "fr", true)).message).toBe("Une carte Bonus ne se défausse jamais.");
    expect((await refusalText(discard, "en", false)).message).toBe("You can’t discard a red three.");
  });

  it("stays with the server's English for what it does not know", async () => {
    const english = { message: "English.", remedy: "Do this." };
    expect(await refusalText(why("SOMETHING_NEW", {}), "es")).toEqual(english);
    expect(await refusalText(why("", {}), "es")).toEqual(english);
    expect(await refusalText(why("FROZEN", { ...pile, rank: "elevens" }), "es")).toEqual(english);
    expect(await refusalText(why("BELOW_MINIMUM", { needed: 90 }), "es")).toEqual(english);
    expect(await refusalText(why("FROZEN", pile), "xx")).toEqual(english);
  });
});
