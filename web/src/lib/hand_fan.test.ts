import { describe, expect, it } from "vitest";
import { arc, rows, slotAt } from "./hand_fan";

const ranks = ["4", "4", "4", "9", "9", "K", "K", "A", "2", "Jo", "Jo"];

describe("the fan", () => {
  it("stays inside its width, however many cards there are", () => {
    for (const count of [1, 2, 11, 30, 60]) {
      const { places } = arc(Array.from({ length: count }, (_, index) => String(index >> 1)), 900, 84);
      expect(places).toHaveLength(count);
      for (const { x } of places) {
        expect(x).toBeGreaterThanOrEqual(-0.01);
        expect(x + 84).toBeLessThanOrEqual(900.01);
      }
    }
  });

  it("lays cards of one rank closer together", () => {
    const { places } = arc(ranks, 900, 84);
    const gap = (index: number) => places[index]!.x - places[index - 1]!.x;
    expect(gap(1)).toBeLessThan(gap(3));
  });

  it("is empty for an empty hand", () => {
    expect(arc([], 900, 84).places).toEqual([]);
    expect(rows(0, 340, 60, 48).places).toEqual([]);
  });
});

describe("rows on a phone", () => {
  it("keeps targets of 44 px up to two full rows", () => {
    const { places } = rows(14, 344, 60, 48);
    expect(new Set(places.map(({ y }) => y)).size).toBe(2);
    for (let index = 1; index < 7; index++) expect(places[index]!.x - places[index - 1]!.x).toBeGreaterThanOrEqual(44);
  });

  it("opens further rows so that targets stay 40 px wide", () => {
    for (const [count, lines] of [[16, 2], [17, 3], [24, 3], [25, 4], [32, 4]] as const) {
      const { places } = rows(count, 344, 60, 48);
      expect(places.at(-1)!.line).toBe(lines - 1);
      for (let index = 1; index < count; index++) {
        const [before, place] = [places[index - 1]!, places[index]!];
        if (place.line === before.line) expect(place.x - before.x).toBeGreaterThanOrEqual(40);
      }
    }
  });

  it("takes narrower cards before a fourth row where height is dear", () => {
    expect(rows(26, 342, 54, 40).places.at(-1)!.line).toBe(2);
    expect(rows(26, 342, 54, 48).places.at(-1)!.line).toBe(3);
  });

  it("keeps one row while one is enough", () => {
    expect(new Set(rows(7, 344, 60, 48).places.map(({ y }) => y)).size).toBe(1);
  });

  it("never leaves the screen", () => {
    for (const { x } of rows(40, 344, 60, 48).places) expect(x + 60).toBeLessThanOrEqual(344.01);
  });
});

describe("dropping into the hand", () => {
  const { places } = rows(4, 400, 60, 48);

  it("finds the card before which it belongs", () => {
    expect(slotAt(places, 60, places[2]!.x, 10, new Set())).toBe(2);
    expect(slotAt(places, 60, 0, 10, new Set())).toBe(0);
    expect(slotAt(places, 60, 399, 10, new Set())).toBeNull();
  });

  it("tells the rows apart, the last one too", () => {
    const many = rows(28, 344, 60, 48).places;
    for (const index of [2, 9, 16, 23]) {
      expect(slotAt(many, 60, many[index]!.x, many[index]!.y + 10, new Set())).toBe(index);
    }
  });

  it("does not count the cards in the air", () => {
    expect(slotAt(places, 60, 0, 10, new Set([0]))).toBe(1);
  });
});
