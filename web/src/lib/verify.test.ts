import { describe, expect, it } from "vitest";
import type { Game } from "./fair_deal";
import vectors from "./record_vectors.json";
import type { ReplayedHand } from "./rest";
import { bytesOf } from "./sha256";
import { mismatch, type Origin, verifyRecord } from "./verify";

interface Vector {
  name: string;
  text: string;
  game: Game;
  frames: ReplayedHand["frames"];
  movers: number[];
}

const GAMES = vectors as unknown as Vector[];
/** As many as tests/unit/notation/test_tampered.py has without --long. */
const FLIPS = 300;

async function originsOf({ text, game }: Vector): Promise<Origin[]> {
  const answer = await verifyRecord(text, game);
  if (answer.result !== "fair") throw new Error(answer.result);
  return answer.origins;
}

describe.each(GAMES)("the record of $name", (vector) => {
  it("is dealt again from its seeds, and its cards are those of the table", async () => {
    const origins = await originsOf(vector);
    const hand = origins.at(-1)!;
    expect(hand.hand).toBe(1);
    expect(mismatch(hand, vector)).toBeNull();
    expect(hand.voids.length).toBe(vector.game.deal.first_dealer === "cut" ? 1 : 0);
  });

  it("has other cards than a table that cheats", async () => {
    const hand = (await originsOf(vector)).at(-1)!;
    const cheat = structuredClone(vector);
    const [one, two] = [cheat.frames[0]!.seats[0]!, cheat.frames[0]!.seats[1]!];
    [one.shows, two.shows] = [two.shows, one.shows];
    expect(mismatch(hand, cheat)).toBe("cards");
    const drawn = structuredClone(vector);
    const events = drawn.frames.flatMap((frame) => frame.events).filter(({ what }) => what === "drew");
    events[0]!.cards = ["Ca"];
    expect(mismatch(hand, drawn)).toBe("cards");
    expect(mismatch(hand, { ...vector, movers: [-1, 0] })).toBe("moves");
    expect(mismatch({ ...hand, dealer: (hand.dealer + 1) % 2 + 7 }, vector)).toBe("dealer");
  });
});

describe("what is wrong with a record", () => {
  const [two, four] = GAMES as [Vector, Vector];
  const answer = async (text: string, vector = two) => (await verifyRecord(text, vector.game)).result;

  it("is told", async () => {
    expect(await answer("")).toBe("form");
    expect(await answer(two.text.replace(/hand 1 .*/, "hand 1"))).toBe("seeded");
    expect(await answer(two.text.replace("hand 1 fair-2", "hand 2 fair-2"))).toBe("order");
    expect(await answer(two.text.replace(/(server [0-9a-f]{64} )[0-9a-f]{64}/, `$1${"0".repeat(64)}`))).toBe("server");
    expect(await answer(two.text.replace(/(seat 0 [0-9a-f]{64} )[0-9a-f]{64}/, `$1${"0".repeat(64)}`))).toBe("seat");
    expect(await answer(two.text.replace(/(seat 0 [0-9a-f]{64} )[0-9a-f]{64}/, "$1unrevealed"))).toBe("unrevealed");
    expect(await answer(four.text.replace(/^void.*\n/m, ""), four)).toBe("order");
    expect(await answer(four.text.replace(/^cut: ../m, "cut: 4c"), four)).toBe("cut");
    expect(await answer(four.text, two)).toBe("cut");
  });

  it("is found wherever a byte was changed, or the cards are the same", async () => {
    for (const vector of GAMES) {
      const cards = JSON.stringify((await originsOf(vector)).map(({ cards, dealer }) => [cards, dealer]));
      const bytes = bytesOf(vector.text);
      let state = 2463534242;
      const next = (): number => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return (state >>>= 0);
      };
      for (let flip = 0; flip < FLIPS / GAMES.length; flip++) {
        const other = new Uint8Array(bytes);
        const at = next() % bytes.length;
        other[at] = (other[at]! + 1 + (next() % 255)) % 256;
        const found = await verifyRecord(new TextDecoder().decode(other), vector.game);
        if (found.result !== "fair") continue;
        expect(JSON.stringify(found.origins.map(({ cards, dealer }) => [cards, dealer]))).toBe(cards);
      }
    }
  });
});
