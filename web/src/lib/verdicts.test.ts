// The same sessions as in the tests of the terminal's witness, with the same verdicts and transcripts.

import { beforeEach, describe, expect, it, vi } from "vitest";
import * as beginning from "./autostart";
import { digestOf } from "./sha256";
import { Judge } from "./verdicts";
import vectors from "./witness_vectors.json";
import { Witness, type SeedOrder, type Verdict } from "./fairness";
import type { GameView, TableState } from "./wire";

type Parts = Record<string, unknown>;

interface Step {
  at: number;
  link?: boolean;
  game?: GameView;
  set?: Parts;
  answer?: number;
  done?: boolean;
  drop?: boolean;
}

interface Session {
  name: string;
  table: string;
  game: GameView;
  seeds: string[];
  steps: Step[];
  orders: SeedOrder[];
  verdicts: Verdict[];
  digest: string;
  transcript?: unknown;
}

interface Tampered {
  of: number;
  name: string;
  changes: { step: number; at?: number; set?: Parts; drop?: boolean; done?: boolean }[];
  verdicts: Verdict[];
}

const { sessions, tampered } = vectors as unknown as { sessions: Session[]; tampered: Tampered[] };

/** A state with every field that the page reads. */
function whole(parts: Parts): TableState {
  const state = structuredClone(parts) as unknown as TableState;
  state.seats = state.seats.map((seat, at) => ({ ...{ seat: at, cards: 0, foot: 0, talon: 0, sits_out: false, shows: [] }, ...seat }));
  return state;
}

/** Each step with its whole state. */
function expanded(steps: readonly Step[]): Step[] {
  let last: Parts = {};
  return steps.map((step) => (step.set ? { ...step, set: (last = { ...last, ...step.set }) } : step));
}

function changed(steps: Step[], changes: Tampered["changes"]): Step[] {
  const after = steps.map((step) => ({ ...step }));
  for (const { step, at, set, drop, done } of changes) {
    if (step === after.length) {
      const last = after.filter((one) => one.set).at(-1)!;
      after.push({ at: at!, set: { ...last.set, ...set } });
    } else {
      const one = after[step]!;
      if (drop) one.drop = true;
      if (done !== undefined) one.done = done;
      if (set) one.set = { ...one.set, ...set };
    }
  }
  return after.filter(({ drop }) => !drop);
}

interface Played {
  orders: SeedOrder[];
  verdicts: readonly Verdict[];
  transcript: string;
}

async function play({ table, game, seeds }: Session, steps: readonly Step[]): Promise<Played> {
  let clock = 0;
  const left = [...seeds];
  vi.spyOn(beginning, "freshSeed").mockImplementation(() => left.shift() ?? "ee".repeat(32));
  const memory = { load: () => [], save: () => undefined };
  const judge = new Judge({ load: () => "", save: () => undefined });
  const witness = new Witness(table, memory, () => judge, () => clock);
  const orders: SeedOrder[] = [];
  let shown = game;
  for (const { at, link, game: other, set, answer, done } of steps) {
    clock = at;
    shown = other ?? shown;
    if (link || other) witness.plays(shown);
    if (set) orders.push(...witness.see(whole(set)));
    const order = answer === undefined ? undefined : orders[answer];
    if (order) witness.answered(order, done!);
  }
  const transcript = await witness.transcript();
  return { orders, verdicts: witness.verdicts, transcript };
}

/** JSON with sorted keys, which JSON.stringify can't produce: it lists numeric keys first. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const parts = Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1));
  return `{${parts.map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`).join(",")}}`;
}

beforeEach(() => {
  vi.restoreAllMocks();
});

describe("the page and the terminal", () => {
  it.each(sessions.map((session) => [session.name, session] as const))("see the same: %s", async (_, session) => {
    const found = await play(session, expanded(session.steps));
    expect(found.orders).toEqual(session.orders);
    expect(found.verdicts).toEqual(session.verdicts);
    if (session.transcript) expect(JSON.parse(found.transcript)).toEqual(session.transcript);
    expect(digestOf(canonical(JSON.parse(found.transcript)))).toBe(session.digest);
  });

  it.each(tampered.map((one) => [`${sessions[one.of]!.name}: ${one.name}`, one] as const))("find the same: %s", async (_, one) => {
    const session = sessions[one.of]!;
    const found = await play(session, changed(expanded(session.steps), one.changes));
    expect(found.verdicts).toEqual(one.verdicts);
  });
});
