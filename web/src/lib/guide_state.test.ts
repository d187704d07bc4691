import { describe, expect, it } from "vitest";
import { hasPlayed } from "./guide_state.svelte";
import type { EventView } from "./wire";

const happened = (what: string, seat: number) => ({ what, seat }) as EventView;

describe("the offer of a guide", () => {
  it("ends with the player's own first move", () => {
    for (const what of ["drew", "pile_taken", "cards_melded", "discarded"]) {
      expect(hasPlayed([happened(what, 2)], 2)).toBe(true);
      expect(hasPlayed([happened(what, 1)], 2)).toBe(false);
    }
    expect(hasPlayed([happened("said", 2), happened("dealt", 2)], 2)).toBe(false);
    expect(hasPlayed([happened("drew", -1)], -1)).toBe(false);
  });
});
