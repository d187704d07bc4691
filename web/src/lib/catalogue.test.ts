import { expect, it, test } from "vitest";
import { loadParts, MissingMessage, Voice, type Facts } from "./catalogue";
import vectors from "./catalogue_vectors.json";
import { tell } from "./event_text";
import type { EventView, SeatView } from "./wire";

type Vector = [language: string, caliente: boolean, code: string, fact: string | Facts, text: string];

const voices = new Map<string, Voice>();
for (const language of ["en", "de", "es", "fr", "it", "pt"]) {
  voices.set(language, new Voice(language, await loadParts(language, ["cards", "refusals", "events", "reasons", "notation"])));
}

test.each([...voices.keys()])("the words of the program in Python, said here: %s", (language) => {
  const wanted = (vectors.words as Vector[]).filter((vector) => vector[0] === language);
  expect(wanted.length).toBeGreaterThan(100);
  const said = wanted.map(([, caliente, code, fact]) => {
    const voice = voices.get(language)!.with(caliente);
    return [code, fact, typeof fact === "string" ? voice.fact(code, fact) : voice.say(code, fact)];
  });
  expect(said).toEqual(wanted.map(([, , code, fact, text]) => [code, fact, text]));
});

test.each([...voices.keys()])("events, told as in the terminal: %s", (language) => {
  const seats = vectors.names.map((name, seat) => ({ name, joins: vectors.joins[seat] })) as SeatView[];
  const wanted = vectors.told.filter((told) => told[0] === language) as [string, number, number, string][];
  expect(wanted.length).toBeGreaterThan(100);
  const told = wanted.map(([, you, event]) =>
    tell(vectors.events[event] as EventView, seats, you, voices.get(language)!),
  );
  expect(told).toEqual(wanted.map(([, , , text]) => text));
});

it("says nothing half: what it does not know is left to the server's English", () => {
  const voice = voices.get("es")!;
  expect(() => voice.say("refusals.SOMETHING_NEW")).toThrow(MissingMessage);
  expect(() => voice.say("refusals.BELOW_MINIMUM", { needed: 90 })).toThrow(MissingMessage);
  expect(voice.sayOr("refusals.FROZEN", { rank: "elevens", naturals: 1 }, "English.")).toBe("English.");
});

it("finds no words of a language that there is not", async () => {
  expect(new Voice("xx", await loadParts("xx", ["cards"])).has("cards.and")).toBe(false);
});
