import { describe, expect, it } from "vitest";
import { commitTo, keyOf, listDigest, misfit } from "./fair";
import { cut, dealerFrom, dealt, fullDeck, Stream, type Game } from "./fair_deal";
import vectors from "./fair_vectors.json";
import { bytesOf, digestOf, hex, hmac, sha256 } from "./sha256";
import type { FairRoundView } from "./wire";

interface Vector extends Game {
  name: string;
  table: string;
  hand: number;
  round: number;
  server_seed: string;
  seeds: Record<string, string>;
  commitment: string;
  commitments: Record<string, string>;
  list: string;
  key: string;
  deck: string;
  dealer: number;
  hands?: string[];
  pile?: string;
  stock?: string;
  cut?: string[];
  seating?: number[];
}

function roundOf(vector: Vector): FairRoundView {
  const { table, hand, round } = vector;
  return {
    hand,
    round,
    commitment: commitTo(vector.server_seed, { table, hand, round, seat: -1 }),
    seats: Object.entries(vector.seeds).map(([seat, seed]) => ({
      seat: Number(seat),
      seed,
      commitment: commitTo(seed, { table, hand, round, seat: Number(seat) }),
    })),
    asked: true,
    closed: true,
    allowed: null,
    server_seed: vector.server_seed,
    seconds: 0,
  };
}

const sorted = (cards: string): string => cards.split(" ").sort().join(" ");

describe("SHA-256", () => {
  it("gives the published digests", () => {
    expect(digestOf("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(digestOf("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(digestOf("a".repeat(1_000_000))).toBe("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  });

  it("agrees with the browser's own at every length around a block", async () => {
    for (let length = 50; length < 140; length++) {
      const bytes = new Uint8Array(length).fill(length);
      const own = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      expect(hex(sha256(bytes))).toBe(hex(own));
    }
  });

  it("keys messages as RFC 4231 does", () => {
    expect(hex(hmac(bytesOf("Jefe"), bytesOf("what do ya want for nothing?")))).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
    expect(hex(hmac(new Uint8Array(131).fill(0xaa), bytesOf("Test Using Larger Than Block-Size Key - Hash Key First")))).toBe(
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    );
  });
});

describe("fair cards", () => {
  for (const vector of vectors as unknown as Vector[]) {
    it(`are those of the vector: ${vector.name}`, () => {
      const told = roundOf(vector);
      expect(told.commitment).toBe(vector.commitment);
      expect(Object.fromEntries(told.seats.map((part) => [String(part.seat), part.commitment]))).toEqual(vector.commitments);
      expect(misfit(vector.table, told)).toBeNull();
      expect(listDigest(vector.table, told)).toBe(vector.list);
      const key = keyOf(vector.table, told);
      expect(hex(key)).toBe(vector.key);
      const deck = fullDeck(vector.deal.decks, vector.caliente_cards);
      new Stream(key, "deck").shuffle(deck);
      expect(deck.join(" ")).toBe(vector.deck);
      if (vector.hand === 0) {
        const found = cut(key, vector);
        expect(found.cards.map((cards) => cards.join(" "))).toEqual(vector.cut);
        expect(found.players).toEqual(vector.seating);
        expect(found.dealer).toBe(vector.dealer);
        return;
      }
      expect(dealerFrom(new Stream(key, "dealer").below(vector.players), vector)).toBe(vector.dealer);
      const table = dealt(key, vector, vector.hand, vector.dealer);
      expect(table.hands.map((cards) => sorted(cards.join(" ")))).toEqual(vector.hands!.map(sorted));
      expect(table.pile.join(" ")).toBe(vector.pile);
      expect(table.deck.slice(table.at).join(" ")).toBe(vector.stock);
    });
  }

  it("are found wrong by a swapped seed, and by a list out of order", () => {
    const vector = (vectors as unknown as Vector[])[1]!;
    const told = roundOf(vector);
    expect(misfit(vector.table, { ...told, server_seed: "00".repeat(32) })).toBe("server");
    const [first, second] = told.seats;
    expect(misfit(vector.table, { ...told, seats: [{ ...first!, seed: "00".repeat(32) }, second!] })).toBe("seat");
    expect(misfit(vector.table, { ...told, seats: [second!, first!] })).toBe("seat");
    expect(misfit("elsewhere", told)).toBe("server");
  });
});
