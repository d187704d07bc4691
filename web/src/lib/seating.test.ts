import { describe, expect, it } from "vitest";
import { around } from "./seating";
import type { SeatView } from "./wire";

function seats(count: number): SeatView[] {
  return Array.from({ length: count }, (_, seat) => ({ seat }) as SeatView);
}

function numbers(count: number, you: number | null): number[][] {
  const { left, top, right } = around(seats(count), you);
  return [left, top, right].map((side) => side.map(({ seat }) => seat));
}

describe("who sits where", () => {
  it("puts the next player on the left and the partner opposite", () => {
    expect(numbers(4, 0)).toEqual([[1], [2], [3]]);
    expect(numbers(4, 3)).toEqual([[0], [1], [2]]);
  });

  it("seats two, three and six", () => {
    expect(numbers(2, 1)).toEqual([[], [0], []]);
    expect(numbers(3, 0)).toEqual([[1], [], [2]]);
    expect(numbers(6, 2)).toEqual([[3], [4, 5, 0], [1]]);
  });

  it("shows a spectator everybody", () => {
    expect(numbers(4, null).flat().sort()).toEqual([0, 1, 2, 3]);
  });
});
