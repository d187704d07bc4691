import { describe, expect, it } from "vitest";
import { FACES, LEVELS } from "../../lib/wire";
import { faceOf, portraitMarkup } from "./portraits";

describe("portraits", () => {
  it("are all different and sound drawings without inline styles", () => {
    const drawings = FACES.map(portraitMarkup);
    expect(new Set(drawings).size).toBe(FACES.length);
    for (const markup of drawings) expect(markup).not.toMatch(/NaN|undefined|null| style=/);
  });

  it("show the level of a computer player, whoever it is", () => {
    for (const level of LEVELS) expect(faceOf({ level, name: "Rosa" })).toMatch(new RegExp(`^${level}-`));
    expect(faceOf({ level: "random", name: "Rosa" })).toMatch(/^novice-/);
  });

  it("show what somebody chose, and something for everybody else", () => {
    expect(faceOf({ face: "expert-3", name: "Rosa" })).toBe("expert-3");
    expect(FACES).toContain(faceOf({ face: "no such face", name: "Rosa" }));
    expect(faceOf({ name: "Rosa" })).toBe(faceOf({ name: "Rosa" }));
  });
});
