import { describe, expect, it } from "vitest";

const LANGUAGES = ["es", "de", "fr", "it", "pt"];
type Messages = Record<string, string>;

const files = import.meta.glob<Messages>("../messages/**/*.json", {
  eager: true,
  import: "default",
});

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
