// Tables that this page opened to start at once. A table starts when the page has joined it: by then the page has seen
// the server's commitment and has committed to its own seed for the first cards.

const opened = new Set<string>();

export function startAtOnce(table: string): void {
  opened.add(table);
}

/** Whether this table should start; the first call clears the flag. */
export function takeStart(table: string): boolean {
  return opened.delete(table);
}

/** The player's contribution to the shuffle: 32 random bytes. */
export function freshSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
