// Checks of the rounds of seeds that the server shows: the list, the seeds, and the void rounds before it. The terminal
// has the same in src/canasta/table/fairness/rounds.py.

import { listDigest, misfit } from "./fair";
import type { FairRoundView } from "./wire";
import type { Kept, Trouble } from "./fairness";

const isSeed = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** The first fault in a round that cards came from and its void rounds; null if there is none. */
export function faultInRounds(table: string, fair: FairRoundView, voids: readonly FairRoundView[], players: number): Trouble | null {
  for (const one of [fair, ...voids]) {
    const fault = faultInRound(table, one, players, one !== fair);
    if (fault) return fault;
  }
  const rounds = [...voids, fair];
  const inOrder = rounds.every(({ hand, round }, at) => hand === fair.hand && round === at + 1);
  const onlyRevealed = rounds.slice(1).every(({ seats }, at) => {
    const revealed = rounds[at]!.seats.filter(({ seed }) => seed).map(({ seat }) => seat);
    return seats.every(({ seat }) => revealed.includes(seat));
  });
  // Nobody joins after the first round, or somebody could retry until the cards suit them.
  const allVoid = voids.every(({ seats }) => seats.some(({ seed }) => !seed));
  return inOrder && onlyRevealed && allVoid ? null : "restarted";
}

function faultInRound(table: string, one: FairRoundView, players: number, isVoid: boolean): Trouble | null {
  const areSeats = one.seats.every(({ seat }, at) => seat > (at ? one.seats[at - 1]!.seat : -1) && seat < players);
  if (!areSeats || !one.seats.every(({ commitment }) => isSeed(commitment))) return "list_changed";
  if (!isSeed(one.server_seed)) return "server_changed";
  if (one.seats.some(({ seed = "" }) => !isSeed(seed) && (seed || !isVoid))) return "seed_changed";
  const found = misfit(table, one);
  return found && (found === "server" ? "server_changed" : "seed_changed");
}

/**
 * The conflict of a round with what this page has stored; null if there is none. `stayed`: the player has not changed
 * seats, which would require another commitment.
 */
export function conflictWith(table: string, kept: Kept, told: FairRoundView, isVoid: boolean, stayed: boolean): Trouble | null {
  if (kept.server !== told.commitment) return "server_changed";
  if (kept.listed && kept.listed !== listDigest(table, told)) return "list_changed";
  const part = told.seats.find(({ seat }) => seat === kept.seat);
  if (part?.commitment !== kept.commitment) return kept.taken && stayed ? "left_out" : null;
  return isVoid && !part.seed && kept.acknowledged ? "blamed" : null;
}
