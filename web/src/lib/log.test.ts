import { expect, test } from "vitest";
import { tell } from "./log";
import type { Happened, SeatView } from "./wire";

const LANGUAGES = import.meta.glob<Record<string, string>>("../messages/table/*.json", {
  eager: true,
  import: "default",
});

test.each(Object.entries(LANGUAGES))("a move made for a computer player is told as such: %s", (_, table) => {
  const words = {
    has: (key: string) => key in table,
    t: (key: string, params: Record<string, unknown> = {}) =>
      (table[key] ?? "").replace(/\{(\w+)\}/g, (_all, name: string) => String(params[name])),
    cards: () => "",
    ranks: () => "",
  };
  const event: Happened = { what: "hurried", seat: 1, text: "in English" };
  const seats = [{ name: "Ada" }, { name: "North" }] as SeatView[];
  expect(tell(event, seats, 0, words)).toContain("North");
  expect(tell(event, seats, 1, words)).not.toBe(tell(event, seats, 0, words));
  expect(tell(event, seats, 1, words)).not.toContain("English");
});
