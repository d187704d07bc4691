import type { OptionValue } from "../../lib/api";
import type { OptionForm } from "../../lib/rest";
import { t } from "../../lib/i18n.svelte";

/** The value of an option in words. */
export function optionText({ choices, zero }: OptionForm, worth: OptionValue): string {
  if (typeof worth === "boolean") return t(worth ? "common.yes" : "common.no");
  if (Array.isArray(worth)) return worth.length > 0 ? worth.join(", ") : zero;
  if (typeof worth === "string") return choices.find(([name]) => name === worth)?.[1] ?? worth;
  return worth === 0 && zero ? zero : String(worth);
}
