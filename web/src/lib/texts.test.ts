import { beforeAll, describe, expect, it, vi } from "vitest";
import { cardsIn, meldWords, sayMove, sayReasons } from "./hint_cards";
import { fill, formOf, language, preferred, sayInPlay, sayMore, showLanguage, t, voice } from "./i18n.svelte";
import { tell, verdictText } from "./event_text";
import { parse } from "./route.svelte";
import { restore } from "./settings.svelte";
import type { SeatView } from "./wire";
import { defectText } from "./messages";

vi.stubGlobal("document", { documentElement: {} });
beforeAll(() => showLanguage("en"));

describe("texts", () => {
  it("fills in parameters and writes numbers as in the language", () => {
    expect(fill("{name}: {count}", { name: "South", count: 5000 }, "de")).toBe("South: 5.000");
    expect(fill("{name} {other}", { name: "South" }, "en")).toBe("South {other}");
  });

  it("chooses the form by number", () => {
    const words = { a_one: "one", a_other: "many", b: "plain" };
    expect(formOf(words, "a", { count: 1 }, "en")).toBe("one");
    expect(formOf(words, "a", { count: 0 }, "en")).toBe("many");
    expect(formOf(words, "b", { count: 2 }, "en")).toBe("plain");
    expect(formOf(words, "c", {}, "en")).toBeUndefined();
  });

  it("speaks the first of the browser's languages that it knows", () => {
    expect(preferred(["ca", "pt-BR", "en"])).toBe("pt");
    expect(preferred(["ja"])).toBe("en");
  });

  it("says moves as players do", () => {
    expect(sayMove("draw")).toBe("Draw");
    expect(sayMove("discard 7h")).toBe("Discard 7♥");
    expect(sayMove("add Kh 2c to K")).toBe("Add K♥ 2♣ to the kings");
    expect(sayMove("take onto K#2 + 9c 9d 9h")).toBe("Take the pile onto the kings #2 + 9♣ 9♦ 9♥");
    expect(sayMove("something new")).toBe("Something new");
    expect(meldWords("run#1")).toBe("the sequence");
  });

  it("gives the reasons of a hint in the player's language, or all of them in English", async () => {
    const hint = { move: "discard 7", text: "English.", numbers: {}, reasons: [{ code: "stands_alone", facts: {} }] };
    await showLanguage("es");
    expect(sayReasons(hint, false)).toBe("English.");
    await sayInPlay();
    expect(sayReasons(hint, false)).toBe("Está sola en la mano.");
    const newer = { ...hint, reasons: [...hint.reasons, { code: "something_new", facts: {} }] };
    expect(sayReasons(newer, false)).toBe("English.");
    await showLanguage("en");
    expect(sayReasons(hint, false)).toBe("You have no other.");
  });

  it("says what is asked for while another language comes in that language", async () => {
    void showLanguage("de");
    void sayMore("guide");
    // A second caller shortly afterwards waits for the same fetch.
    await sayMore("guide");
    expect(language()).toBe("de");
    expect(t("guide.next")).toBe("Verstanden");
    await showLanguage("en");
    expect(t("guide.next")).toBe("Got it");
  });

  it("finds the cards that a move plays", () => {
    const hand = ["Kh", "Ks", "2c", "3d"];
    const played = (move: string) => cardsIn(move).map((fits) => hand.filter(fits).join(" "));
    expect(played("add Kh 2 to K")).toEqual(["Kh", "2c"]);
    expect(played("take onto K")).toEqual([]);
    expect(played("lay 3r")).toEqual(["3d"]);
    expect(played("draw")).toEqual([]);
  });
});

describe("what is wrong", () => {
  it("says a house rule that makes no game in one sentence", () => {
    const defect = { option: "x", problem: "this option doesn’t exist", remedy: "did you mean y?", line: 0 };
    expect(defectText(defect)).toBe("this option doesn’t exist; did you mean y?");
    expect(defectText({ ...defect, remedy: "" })).toBe("this option doesn’t exist.");
  });

  it("tells what came of checking the cards as the log does", async () => {
    await showLanguage("de");
    expect(verdictText({ hand: 0, result: "without_you" }, voice())).toContain("ohne");
    expect(verdictText({ hand: 3, result: "left_out" }, voice())).toContain("Runde 3");
    await showLanguage("en");
  });

  it("says what a server cannot do in the player's language, or as the server does", async () => {
    await showLanguage("fr");
    expect(voice().sayOr("problems.TOO_FAST", {}, "English.")).toBe("C’était trop à la fois. Attendez un instant.");
    expect(voice().sayOr("problems.NEWER", {}, "English.")).toBe("English.");
    await showLanguage("en");
  });
});

describe("the log", () => {
  const seats = [{ name: "South" }, { name: "West" }] as SeatView[];
  const told = (event: Parameters<typeof tell>[0], you = 0) => tell(event, seats, you, voice());

  it("tells what others did and what you did", () => {
    expect(told({ what: "drew", seat: 1, count: 2 })).toBe("West drew 2 cards.");
    expect(told({ what: "drew", seat: 0, count: 1, cards: ["Kh"] })).toBe("You drew K♥.");
    expect(told({ what: "drew", seat: 0, count: 1 }, -1)).toBe("South drew a card.");
    expect(told({ what: "hand_ended" })).toBe("The stock ran out: the hand is over.");
  });

  it("names cards that have no sign of their own", () => {
    const cards = ["Kd", "Jo", "Kh", "Jo"];
    expect(told({ what: "cards_melded", seat: 1, started: true, cards })).toBe("West melded K♦ K♥ and two jokers.");
    const stop = { what: "discarded", seat: 1, cards: ["3c"] };
    expect(tell(stop, seats, 0, voice(true))).toBe("West discarded 3♣ (Stop).");
    expect(told(stop)).toBe("West discarded 3♣.");
    expect(sayMove("discard 3b")).toBe("Discard a black three");
  });

  it("falls back to the server's words", () => {
    expect(told({ what: "danced", seat: 1, text: "danced on the table" })).toBe("West danced on the table.");
  });
});

describe("pages and settings", () => {
  it("finds the page of an address", () => {
    const route = { id: "", part: "", replay: "" };
    expect(parse("/")).toEqual({ ...route, page: "home" });
    expect(parse("/new/")).toEqual({ ...route, page: "new" });
    expect(parse("/new/x")).toMatchObject({ page: "nowhere" });
    expect(parse("/t/")).toMatchObject({ page: "nowhere" });
    expect(parse("/t/a%20b")).toEqual({ ...route, page: "table", id: "a b" });
    const back = { ...route, page: "played_on", id: "ab", part: "2.14.0", replay: "/replay/c%2Fd?review#2.14.0" };
    expect(parse("/t/ab", "#2.14.0", "?replay=c%2Fd")).toEqual(back);
    expect(parse("/t/ab", "#1.3", "?replay=")).toEqual({ ...back, part: "1.3", replay: "/replay?review#1.3" });
    expect(parse("/t/%zz")).toEqual({ ...route, page: "table", id: "%zz" });
    expect(parse("/rules/caliente", "#OPEN-1")).toEqual({ ...route, page: "rules", id: "caliente", part: "OPEN-1" });
    expect(parse("/puzzles")).toEqual({ ...route, page: "puzzles" });
    expect(parse("/puzzles/17a9640d")).toEqual({ ...route, page: "puzzle", id: "17a9640d" });
    expect(parse("/glossary", "#meld")).toEqual({ ...route, page: "glossary", part: "meld" });
    expect(parse("/advice/freeze")).toEqual({ ...route, page: "tip", id: "freeze" });
    expect(parse("/rules")).toEqual({ ...route, page: "rules" });
    expect(parse("/api/tables/x/record")).toMatchObject({ page: "nowhere" });
    expect(parse("/t/x/y")).toMatchObject({ page: "nowhere" });
  });

  it("takes over saved settings as far as they fit", () => {
    expect(restore(null).theme).toBe("auto");
    expect(restore("{").sort).toBe("rank");
    const settings = restore('{"theme": "dark", "sort": 7, "sounds": "yes", "fourColour": true, "x": 1}');
    expect(settings).toMatchObject({ theme: "dark", sort: "rank", sounds: false, fourColour: true });
    expect("x" in settings).toBe(false);
  });
});
