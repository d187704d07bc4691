import { describe, expect, it } from "vitest";
import { barsOf, familiesOf, filter, lastChange, lineOf } from "./puzzles.svelte";
import type { Standing } from "./rest";

const standing = (course: number[]) => ({ course }) as Standing;

describe("puzzles", () => {
  it("asks for what is wanted and for nothing else", () => {
    expect(filter.parameters).toEqual({});
    filter.theme = "takes";
    filter.difficulty = "3";
    expect(filter.parameters).toEqual({ theme: "takes", difficulty: 3 });
    filter.theme = filter.difficulty = "";
  });

  it("puts games of a family together", () => {
    const [a, b, c] = ["A", "B", "A"].map((family, at) => ({ name: String(at), title: "", family }));
    expect(familiesOf([a!, b!, c!])).toEqual([
      ["A", [a, c]],
      ["B", [b]],
    ]);
  });

  it("tells what the last answer changed", () => {
    expect(lastChange(standing([]))).toBe(0);
    expect(lastChange(standing([1552]))).toBe(52);
    expect(lastChange(standing([1552, 1490]))).toBe(-62);
  });

  it("draws bars with their intervals to one scale", () => {
    const [best, other] = barsOf([
      { behind: 0, error: 0 },
      { behind: 300, error: 50 },
    ]);
    expect(best).toEqual({ to: 0, low: 0, high: 0 });
    expect(other).toEqual({ to: 0.75, low: 0.5, high: 1 });
  });

  it("draws the course from the left to the right", () => {
    expect(lineOf([1500, 1600, 1550], 100, 10)).toBe("0.0,10.0 50.0,0.0 100.0,5.0");
    expect(lineOf([1500], 100, 10)).toBe("0.0,10.0");
  });
});
