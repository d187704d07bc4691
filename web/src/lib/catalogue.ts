// The catalogues of src/canasta/words, and the twin of their formatter in Python (src/canasta/words/catalogue.py
// says how a message is written). `catalogue_vectors.json`, made by the Python one, holds the two together.

import kinds from "../../../src/canasta/words/catalogues/facts.json";
import { letter } from "./letters.svelte";

export type Facts = Record<string, string | number>;
/** What a table says; rule sheets, clauses and labels of options come from the server in the language asked for. */
export type Part = "cards" | "refusals" | "events" | "reasons" | "scores" | "notation" | "problems" | "review";
type Texts = Record<string, string>;
type Parts = Partial<Record<Part, Texts>>;

const files = import.meta.glob<Texts>(
  "../../../src/canasta/words/catalogues/*/{cards,refusals,events,reasons,scores,notation,problems,review}.json",
  { import: "default" },
);
const KINDS = new Map(Object.entries(kinds).flatMap(([kind, names]) => names.map((name) => [name, kind])));
const SINGULAR_ZERO = ["fr", "pt"];
const SUITS: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };
const STOP_CARDS = ["3c", "3s"];
const SLOT = /\{(\^?)([\w.]+)(?::(\w+))?(?:#([^{}]*))?\}/g;

/** Something that this page has no words for: an entry of a newer server. */
export class Unsaid extends Error {}

/** Fetches what a page says; fails offline, where it was never fetched. */
export async function loadParts(language: string, parts: readonly Part[]): Promise<Parts> {
  const texts = parts.map((part) => files[`../../../src/canasta/words/catalogues/${language}/${part}.json`]?.());
  return Object.fromEntries((await Promise.all(texts)).map((text, at) => [parts[at], text ?? {}]));
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function unlessUnsaid(say: () => string, otherwise: string): string {
  try {
    return say();
  } catch (error) {
    if (error instanceof Unsaid) return otherwise;
    throw error;
  }
}

/** A language, and how a table speaks it. */
export class Voice {
  constructor(
    readonly language: string,
    private readonly parts: Parts,
    /** With the names of the Caliente booklets. */
    readonly caliente = false,
  ) {}

  with(caliente: boolean): Voice {
    return new Voice(this.language, this.parts, caliente);
  }

  has(code: string): boolean {
    return this.find(code) !== undefined;
  }

  /** The message of a code, `part.key`; throws `Unsaid` where it cannot be said in full. */
  say(code: string, facts: Facts = {}): string {
    const text = this.find(code);
    if (text === undefined) throw new Unsaid(code);
    return text.replace(SLOT, (_, up: string, name: string, form = "", choices?: string) => {
      const said = name.includes(".") ? this.word(name, form) : this.slot(name, form, choices?.split("|"), facts);
      return up ? capital(said) : said;
    });
  }

  /** What a code says, or other words where that is not known here. */
  sayOr(code: string, facts: Facts, otherwise: string): string {
    return unlessUnsaid(() => this.say(code, facts), otherwise);
  }

  factOr(kind: string, value: string, otherwise: string): string {
    return unlessUnsaid(() => this.fact(kind, value), otherwise);
  }

  word(key: string, form = ""): string {
    const text = this.find(`cards.${key}${form && `:${form}`}`);
    if (text === undefined) throw new Unsaid(key);
    return text;
  }

  listed(things: string[]): string {
    return things.length < 2 ? things.join("") : `${things.slice(0, -1).join(", ")} ${this.word("and")} ${things.at(-1)}`;
  }

  private find(code: string): string | undefined {
    const at = code.indexOf(".");
    const texts = this.parts[code.slice(0, at) as Part];
    const key = code.slice(at + 1);
    return (this.caliente ? texts?.[`${key}~caliente`] : undefined) ?? texts?.[key];
  }

  private slot(name: string, form: string, choices: string[] | undefined, facts: Facts): string {
    const fact = facts[name];
    const kind = KINDS.get(name);
    if (fact === undefined || kind === undefined) throw new Unsaid(name);
    if (kind === "notation") {
      const { [name]: code, ...rest } = facts; // it cannot hold itself
      return this.say(`notation.${code}`, rest);
    }
    const said = this.fact(kind, String(fact), form);
    return choices ? this.chosen(choices, Number(fact)).replaceAll("#", said) : said;
  }

  private chosen(choices: string[], number: number): string {
    if (choices.length === 3 && number === 0) return choices[0]!;
    const one = number === 1 || (number === 0 && SINGULAR_ZERO.includes(this.language));
    return choices.at(one ? -2 : -1)!;
  }

  /** A fact in words, by its kind. */
  fact(kind: string, value: string, form = ""): string {
    switch (kind) {
      case "number":
        return (form ? this.find(`cards.number.${value}:${form}`) : undefined) ?? value;
      case "name":
        return value;
      case "card":
        return this.card(value, form);
      case "card+":
        return this.cards(value, form);
      case "canastas":
        return this.canastas(value.split(" ").filter(Boolean));
      case "meld":
        return this.meld(value, form);
      case "move":
        return this.move(value, form);
    }
    if (kind.endsWith("+")) return this.listed(value.split(" ").map((one) => this.fact(kind.slice(0, -1), one, form)));
    return this.word(`${kind}.${value}`, form);
  }

  private card(card: string, form: string): string {
    const suit = SUITS[card[1] ?? ""];
    if (card.length !== 2 || suit === undefined) return this.word(`rank.${card}`, form ? "a" : "");
    if (form) return this.say("cards.card.of", { rank: card[0]!, suit: card[1]! });
    const sign = letter(card[0]!) + suit;
    return this.caliente && STOP_CARDS.includes(card) ? `${sign} ${this.word("card.stop")}` : sign;
  }

  private cards(groups: string, form: string): string {
    return groups
      .split(" + ")
      .map((cards) => this.group(cards.split(" ").filter(Boolean), form))
      .join(" + ");
  }

  private group(cards: string[], form: string): string {
    const isSuited = (card: string) => card.length === 2 && card[1]! in SUITS;
    const suited = cards.filter(isSuited);
    const said = form || !suited.length ? [] : [suited.map((card) => this.card(card, "")).join(" ")];
    for (const card of new Set(cards)) {
      const count = cards.filter((other) => other === card).length;
      if (!isSuited(card)) {
        said.push(count === 1 ? this.one(card, form) : this.say("cards.card.several", { count, rank: card }));
      } else if (form) {
        said.push(count === 1 ? this.card(card, form) : this.say("cards.card.times", { count, card }));
      }
    }
    return this.listed(said);
  }

  private one(rank: string, form: string): string {
    return this.word(`rank.${rank}`, !form && this.has(`cards.rank.${rank}:acc`) ? "acc" : "a");
  }

  private canastas(pairs: string[]): string {
    if (!pairs.length) return this.word("canastas.none");
    if (pairs[1] === "any" && pairs.length > 2) {
      const [canastas, there] = [pairs.slice(0, 2).join(" "), pairs.slice(2).join(" ")];
      return this.say("cards.canastas.among", { canastas, there });
    }
    const said: string[] = [];
    for (let at = 0; at < pairs.length; at += 2) {
      said.push(this.say(`cards.canastas.${pairs[at + 1]}`, { count: Number(pairs[at]) }));
    }
    return this.listed(said);
  }

  private meld(name: string, form: string): string {
    const [row = "", number = ""] = name.split("#");
    const said = this.word(`meld.${row}`, form);
    return number === "" || number === "1" ? said : `${said} #${number}`;
  }

  private move(move: string, form: string): string {
    const [, verb = "", rest = ""] = /^(\S+) ?(.*)$/.exec(move) ?? [];
    let [cards = rest, meld = "", end = ""] = verb === "add" ? rest.split(/ to | (?=low$|high$)/) : [rest];
    const onto = verb === "take" ? /^(.*?) ?\bonto (\S+)(?: \+ (.*))?$/.exec(rest) : null;
    if (onto) [cards, meld] = [[onto[1], onto[3]].filter(Boolean).join(" + "), onto[2]!];
    let kind = meld ? ".onto" : !rest ? "" : verb === "answer" ? `.${rest}` : ".cards";
    if (verb === "special" && rest) kind = ".hand";
    const said = this.say(`cards.move.${verb}${kind}${form && `:${form}`}`, { cards, meld, special: rest });
    if (end) return `${said}, ${this.word(`end.${end}`)}`;
    return onto && cards ? `${said} + ${this.cards(cards, "")}` : said;
  }
}
