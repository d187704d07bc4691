import { describe, expect, it } from "vitest";
import { refusalText } from "./refusals";
import type { WhyNot } from "./wire";

function why(reason: string, facts: WhyNot["facts"], message = "English.", remedy = "Do this."): WhyNot {
  return { clause: "PILE-8", message, also: [], facts, remedy, reason };
}

const pile = { top: "king", a_top: "a king", rank: "kings", naturals: 1, held: 1, pile: 5 };

describe("refusalText", () => {
  it("says the numbers and ranks of the refusal in the language", async () => {
    expect((await refusalText(why("FROZEN", pile), "es")).message).toBe(
      "El pozo está congelado: necesitas dos reyes naturales de tu mano y ofreces 1.",
    );
    expect((await refusalText(why("FROZEN", pile), "de")).remedy).toContain("zwei natürlichen Königen");
    const aces = { ...pile, rank: "aces" };
    expect((await refusalText(why("FROZEN", aces), "fr")).message).toContain("une paire naturelle d’as");
    const minimum = why("BELOW_MINIMUM", { needed: 90, have: 75 });
    expect((await refusalText(minimum, "it")).message).toMatch(/90 punti.*75/);
  });

  it("stays English for English and for what it does not know", async () => {
    const english = { message: "English.", remedy: "Do this." };
    expect(await refusalText(why("FROZEN", pile), "en")).toEqual(english);
    expect(await refusalText(why("SOMETHING_NEW", {}), "es")).toEqual(english);
    expect(await refusalText(why("", {}), "es")).toEqual(english);
    expect(await refusalText(why("FROZEN", { ...pile, rank: "elevens" }), "es")).toEqual(english);
    expect(await refusalText(why("BELOW_MINIMUM", { needed: 90 }), "es")).toEqual(english);
    expect(await refusalText(why("FROZEN", pile), "xx")).toEqual(english);
  });

  it("counts canastas", async () => {
    const keeping = "Keep at least two cards before you discard.";
    const say = async (needed: string, have: string, language: string) =>
      (await refusalText(why("CANASTAS_MISSING", { needed, have, keeping }), language)).message;
    expect(await say("1 canasta", "none", "de")).toBe(
      "Du darfst noch nicht ausmachen: Deine Seite braucht 1 Canasta; vorhanden: keine.",
    );
    expect(await say("2 natural, 2 mixed and 1 wild canastas", "1 mixed canasta", "es")).toContain(
      "necesita 2 canastas limpias, 2 canastas sucias y 1 canasta de comodines; lo que tiene: 1 canasta sucia.",
    );
    expect(await say("2 canastas (1 sequence among them)", "1 natural and 1 mixed canastas", "fr")).toContain(
      "2 canastas (dont 1 samba)",
    );
  });

  it("names cards and melds", async () => {
    const missing = why("NOT_IN_HAND", { cards: "the king of hearts, a joker" });
    expect((await refusalText(missing, "it")).message).toBe("Non hai in mano: un re di cuori e un jolly.");
    const melds = why("NO_SUCH_MELD", { melds: "kings, aces, wilds" });
    expect((await refusalText(melds, "pt")).remedy).toBe("Seus jogos: reis, ases e curingas.");
    const phase = why("NOT_IN_THIS_PHASE", {
      move: "draw",
      situation: "cards have been drawn in this turn",
      next_action: "Meld, or discard.",
    });
    expect(await refusalText(phase, "de")).toEqual({
      message: "Ziehen geht jetzt nicht: in diesem Zug ist schon gezogen worden.",
      remedy: "Melde, oder wirf ab.",
    });
  });
});
