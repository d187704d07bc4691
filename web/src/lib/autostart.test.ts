import { describe, expect, it } from "vitest";
import { startAtOnce, freshSeed, takeStart } from "./autostart";

describe("a table that begins at once", () => {
  it("begins once", () => {
    startAtOnce("abc");
    expect(takeStart("other")).toBe(false);
    expect(takeStart("abc")).toBe(true);
    expect(takeStart("abc")).toBe(false);
  });
});

describe("a player's own seed", () => {
  it("is a word that the server takes, and never the same", () => {
    const seeds = new Set(Array.from({ length: 50 }, freshSeed));
    expect(seeds.size).toBe(50);
    for (const seed of seeds) expect(seed).toMatch(/^[0-9a-f]{64}$/);
  });
});
