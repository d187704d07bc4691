// The table that the home page links back to.

import { api } from "./api";
import type { TableListing } from "./rest";

/** Return the table to resume: the last one on this device, or else the account's first open table. */
export async function findTable(last: string | null, account: boolean): Promise<TableListing | null> {
  if (last !== null) {
    const table = await api.table(last).catch(() => null);
    if (table && table.status !== "over") return table;
  }
  if (!account) return null;
  const open = await api.myGames().then(
    (games) => games.open,
    () => [],
  );
  return open.find(({ status }) => status !== "over") ?? null;
}
