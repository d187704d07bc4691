import { describe, expect, it } from "vitest";
import source from "../../public/sw.js?raw";

const body = /function namesIn\(text\) \{([\s\S]*?)\n\}/.exec(source)?.[1] ?? "";
const namesIn = new Function("text", body) as (text: string) => string[];

describe("the service worker", () => {
  it("finds the files that a script names, dots in the name included", () => {
    const text = 'import"./i18n.svelte.js";import("./Card.js");["assets/Card.css"];url(/assets/bitter-600.woff2)';
    expect(namesIn(text)).toEqual([
      "/assets/i18n.svelte.js",
      "/assets/Card.js",
      "/assets/Card.css",
      "/assets/bitter-600.woff2",
    ]);
  });
});
