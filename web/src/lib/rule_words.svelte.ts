// Names of rules and their values in the player's language. The server says them in English; they are fetched
// when a page that shows rules is opened, and what has no translation stays English.

import { language } from "./i18n.svelte";

type Words = Record<string, string>;

const files = import.meta.glob<Words>("../messages/rules/*.json", { import: "default" });

class RuleWords {
  words = $state.raw<Words>({});

  async load(name: string): Promise<void> {
    try {
      this.words = (await files[`../messages/rules/${name}.json`]?.()) ?? {};
    } catch {
      this.words = {}; // offline, and this language was never fetched
    }
  }
}

const known = new RuleWords();

/** Call once in a component that says rules: fetches the words and follows a change of language. */
export function useRuleWords(): void {
  $effect(() => {
    void known.load(language());
  });
}

/** A label or a value: “cards dealt”, “no limit”. */
export function ruleWord(text: string): string {
  return known.words[text] ?? text;
}

/** A house rule, `label: value`. */
export function houseRule(text: string): string {
  const at = text.indexOf(": ");
  return at < 0 ? ruleWord(text) : `${ruleWord(text.slice(0, at))}: ${ruleWord(text.slice(at + 2))}`;
}
