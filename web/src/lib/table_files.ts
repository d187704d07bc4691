// A table's downloads: the record of the game, and the transcript of this page.

import { gamePath } from "./api";
import type { LiveTable } from "./table.svelte";
import type { TableState } from "./wire";

/** Milliseconds that a browser has to start saving a file. */
const LINGER = 60_000;

/** The address of the record of finished hands; empty if there is none yet. */
export const recordAddress = (table: string, { history, practice }: TableState): string =>
  history.length && !practice ? `${gamePath(table)}/record` : "";

/** Save what this page saw, for `canasta verify --witness`. */
export async function saveTranscript(table: LiveTable): Promise<void> {
  const file = new Blob([await table.witness.transcript()], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${table.id}.witness.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), LINGER);
}
