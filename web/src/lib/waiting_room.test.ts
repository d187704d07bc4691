import { describe, expect, it } from "vitest";
import { exchangeSeats, places, rotateSeats } from "./waiting_room";

describe("chairs of a waiting room", () => {
  it("stand in the order of play, the viewer's own nearest", () => {
    expect(places(4, 0)).toEqual([
      { x: 50, y: 89 },
      { x: 10, y: 50 },
      { x: 50, y: 11 },
      { x: 90, y: 50 },
    ]);
    expect(places(4, 3)[3]).toEqual({ x: 50, y: 89 });
    expect(places(2, 1).map(({ y }) => y)).toEqual([11, 89]);
    for (const seats of [2, 3, 4, 5, 6]) {
      expect(new Set(places(seats, 1).map(({ x, y }) => `${x} ${y}`)).size).toBe(seats);
    }
  });

  it("change places by two", () => {
    expect(exchangeSeats(4, 1, 3)).toEqual([0, 3, 2, 1]);
    expect(exchangeSeats(4, 2, 2)).toEqual([0, 1, 2, 3]);
  });

  it("have every partner in turn", () => {
    for (const seats of [4, 6]) {
      let sitting = Array.from({ length: seats }, (_, seat) => seat);
      const opposite = new Set<number>();
      for (let game = 1; game < seats; game += 1) {
        opposite.add(sitting[seats / 2]!);
        sitting = rotateSeats(seats).map((seat) => sitting[seat]!);
        expect(sitting[0]).toBe(0);
      }
      expect(opposite.size).toBe(seats - 1);
    }
  });
});
