import { describe, expect, it } from "vitest";
import fields from "../../../src/canasta/rules/model.py?raw";

const LANGUAGES = ["es", "de", "fr", "it", "pt"];
type Messages = Record<string, string>;

const files = import.meta.glob<Messages>(["../messages/*.json", "../messages/{cards,table}/*.json"], {
  eager: true,
  import: "default",
});

const rules = import.meta.glob<Messages>("../messages/rules/*.json", { eager: true, import: "default" });

function placeholders(text: string): string[] {
  return [...new Set(text.match(/\{\w+/g) ?? [])].sort();
}

const english = Object.entries(files).filter(([path]) => path.endsWith("/en.json"));

describe.each(english)("the messages beside %s", (path, texts) => {
  it.each(LANGUAGES)("are complete in %s, with the same placeholders", (language) => {
    const translated = files[path.replace("en.json", `${language}.json`)] ?? {};
    expect(Object.keys(translated).sort()).toEqual(Object.keys(texts).sort());
    for (const [key, text] of Object.entries(texts)) {
      expect([key, ...placeholders(translated[key] ?? "")]).toEqual([key, ...placeholders(text)]);
      expect(translated[key]?.trim()).not.toBe("");
    }
  });
});

describe("message files", () => {
  it("share no key, for they are merged", () => {
    const keys = english.flatMap(([, texts]) => Object.keys(texts));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it("have both forms of a plural", () => {
    for (const [path, texts] of Object.entries(files)) {
      const ones = Object.keys(texts).filter((key) => key.endsWith("_one") && texts[key]?.includes("{count}"));
      for (const key of ones) expect([path, texts]).toHaveProperty(["1", key.replace(/_one$/, "_other")]);
    }
  });
});

describe("names of rules", () => {
  const declared = /= (?:flag|numbers?|choice)\((?:\([^)]*\)|"\w+"|\w+), "[A-Z][^"]*",(?:\s*\w+,)*\s*"([^"]+)"/g;
  const labels = [...fields.matchAll(declared)];

  it("are read from the fields of a ruleset", () => {
    expect(labels.length).toBeGreaterThan(70);
    expect(labels.map((label) => label[1])).toContain("cards dealt");
  });

  it.each(LANGUAGES)("are complete in %s, without any that is gone", (language) => {
    const words = rules[`../messages/rules/${language}.json`] ?? {};
    expect(labels.map((label) => label[1] ?? "").filter((label) => !(label in words))).toEqual([]);
    const gone = Object.keys(words).filter((word) => !["yes", "no"].includes(word) && !fields.includes(`"${word}"`));
    expect(gone).toEqual([]);
    expect(Object.keys(words)).toEqual(Object.keys(rules["../messages/rules/es.json"] ?? {}));
  });
});
