// The table that the home page links back to.

import { api, type TableSummary } from "./api";

/** Return the table to resume: the last one on this device, or else the account's first open table. */
export async function findTable(last: string | null, account: boolean): Promise<TableSummary | null> {
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
