// Tables that this page has opened to begin at once. They begin when the page sits at them: by then it has
// seen what the server committed to, and has committed to its own seed for the first cards.

const opened = new Set<string>();

export function beginAtOnce(table: string): void {
  opened.add(table);
}

/** Whether this table is to begin; asked once, it is forgotten. */
export function takeBeginning(table: string): boolean {
  return opened.delete(table);
}

/** A player's own part in the shuffle: 32 random bytes. */
export function freshSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
