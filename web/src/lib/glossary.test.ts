import { describe, expect, it } from "vitest";
import type { GameInfo } from "./rest";
import { allWords, byLetter, Finder, findWords, letterOf, partsOf, usersOf } from "./glossary";

const files = import.meta.glob<Record<string, string>>("../messages/glossary/*.json", { eager: true, import: "default" });
const inLanguage = (language: string) => {
  const texts = files[`../messages/glossary/${language}.json`] ?? {};
  return allWords((key) => texts[key] ?? key, language);
};
const ids = (words: { id: string }[]) => words.map(({ id }) => id);

describe("the glossary", () => {
  it("reads links with words of their own and without", () => {
    expect(partsOf("A [[set]] of [[wild-card|wild cards]].", (word) => word.toUpperCase())).toEqual([
      { text: "A ", word: "" },
      { text: "SET", word: "set" },
      { text: " of ", word: "" },
      { text: "wild cards", word: "wild-card" },
      { text: ".", word: "" },
    ]);
  });

  it.each(["en", "de", "es", "fr", "it", "pt"])("stands in the order of the alphabet in %s", (language) => {
    const letters = byLetter(inLanguage(language)).map(([letter]) => letter);
    expect(letters).toEqual([...letters].sort((a, b) => a.localeCompare(b, language)));
    expect(new Set(letters).size).toBe(letters.length);
    expect(letters.every((letter) => /^[A-Z]$/.test(letter))).toBe(true);
  });

  it("puts each language's own word in its own place", () => {
    const place = (language: string, id: string) => letterOf(inLanguage(language).find((word) => word.id === id)!);
    expect(["en", "de", "es", "fr", "it", "pt"].map((language) => place(language, "stock"))).toEqual([..."STMTTM"]);
    expect(place("es", "add")).toBe("A");
  });

  it("is searched without accents, titles first", () => {
    expect(ids(findWords(inLanguage("es"), "comodin"))[0]).toBe("wild-card");
    expect(ids(findWords(inLanguage("en"), "splash"))).toEqual(["splash"]);
    expect(ids(findWords(inLanguage("en"), "basket"))).toEqual(["canasta"]);
    expect(findWords(inLanguage("en"), "poker")).toEqual([]);
    expect(findWords(inLanguage("en"), "  ")).toHaveLength(inLanguage("en").length);
  });

  it("tells whole families and single games", () => {
    const known = [
      { name: "a", family: "One" },
      { name: "b", family: "One" },
      { name: "c", family: "Two" },
    ] as GameInfo[];
    expect(usersOf(["a", "c"], known).map(({ family, games }) => [family, ids(games.map(({ name }) => ({ id: name })))])).toEqual([
      ["", ["a"]],
      ["Two", ["c"]],
    ]);
  });
});

describe("words in a sentence", () => {
  const finder = new Finder(inLanguage("en"));
  const found = (...sentences: string[]) => finder.read(sentences).map((parts) => parts.filter(({ word }) => word).map(({ text, word }) => [text, word]));

  it("are found once, the longest first, in the forms that are used", () => {
    expect(found("A wild canasta is no canasta of kings.", "Wild cards and canastas.")).toEqual([
      [
        ["wild canasta", "wild-canasta"],
        ["canasta", "canasta"],
      ],
      [["Wild cards", "wild-card"]],
    ]);
  });

  it("are whole words, and nothing of the sentence is lost", () => {
    const sentence = "Potatoes are no pots; settle the set.";
    expect(found(sentence)).toEqual([[["set", "set"]]]);
    expect(finder.read([sentence])[0]?.map(({ text }) => text).join("")).toBe(sentence);
  });
});
