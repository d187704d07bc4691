// The server's REST API. Every failure is an ApiError whose message can be shown as it is.

import { startAtOnce } from "./autostart";
import { newId } from "./connection";
import { language } from "./i18n.svelte";
import type { Calls, GameChoice, Instead, Me, NewPractice, NewPush, NewTable } from "./rest";

/** Chosen options by name. */
export type Options = NonNullable<GameChoice["options"]>;
export type OptionValue = Options[string];

type WithoutId<Command> = Command extends unknown ? Omit<Command, "id"> : never;
/** A command that works without a connection to the table. */
type RoomOrder = WithoutId<Calls["POST /api/tables/{table}/orders"]["takes"]["body"]>;

export class ApiError extends Error {
  constructor(
    /** 0 if the server could not be reached. */
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

const PATIENCE_MS = 15_000;
const SIGN_IN_PATIENCE_MS = 60_000;

type Takes<C extends keyof Calls> = object extends Calls[C]["takes"] ? [Calls[C]["takes"]?] : [Calls[C]["takes"]];

/** Make a call. Answers are in the player's language: an effect that calls this runs again when it changes. */
async function call<C extends keyof Calls>(name: C, ...[takes]: Takes<C>): Promise<Calls[C]["answers"]> {
  const [method, pattern] = name.split(" ") as [string, string];
  const { body, ...parameters } = { ...takes } as Record<string, unknown>;
  let answer: Response;
  try {
    answer = await fetch(addressOf(pattern, parameters), {
      method,
      credentials: "same-origin",
      headers: {
        accept: "application/json",
        "accept-language": language(),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(name === "POST /api/login" ? SIGN_IN_PATIENCE_MS : PATIENCE_MS),
    });
  } catch {
    throw new ApiError(0, "");
  }
  const text = await answer.text();
  let content: unknown = null;
  try {
    content = text === "" ? null : JSON.parse(text);
  } catch {
    throw new ApiError(answer.ok ? 0 : answer.status, "");
  }
  if (!answer.ok) throw new ApiError(answer.status, detailOf(content));
  return content as Calls[C]["answers"];
}

/** Parameters that aren't part of the path go into the query. */
function addressOf(pattern: string, parameters: Record<string, unknown>): string {
  const query = new URLSearchParams();
  let path = pattern;
  for (const [name, value] of Object.entries(parameters)) {
    const place = `{${name}}`;
    if (path.includes(place)) path = path.replace(place, encodeURIComponent(String(value)));
    else if (value !== undefined) query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

function detailOf(content: unknown): string {
  if (typeof content === "object" && content !== null && "detail" in content) {
    return typeof content.detail === "string" ? content.detail : "";
  }
  return "";
}

/** A record in the user's own collection, not a table. */
const isKept = (id: string): boolean => id.startsWith("my.");

/** The address of a game: at a table, or a record in the user's own collection. */
export const gamePath = (id: string): string => `/api/${isKept(id) ? "me/games" : "tables"}/${encodeURIComponent(id)}`;

/** The reader of a review; none if negative. */
const reader = (seat: number): number | undefined => (seat < 0 ? undefined : seat);

export const api = {
  guest: (name?: string) => call("POST /api/guests", { body: { name } }),
  rename: (name: string) => call("PATCH /api/me", { body: { name } }),
  createAccount: (name: string, password: string) => call("POST /api/accounts", { body: { name, password } }),
  signIn: (name: string, password: string) => call("POST /api/login", { body: { name, password } }),
  signOut: () => call("POST /api/logout"),
  changePassword: (old: string, next: string) => call("POST /api/me/password", { body: { old, new: next } }),
  sessions: () => call("GET /api/me/sessions"),
  endSession: (session: string) => call("DELETE /api/me/sessions/{session}", { session }),
  endOtherSessions: () => call("DELETE /api/me/sessions"),
  deleteAccount: (password: string) => call("POST /api/me/delete", { body: { password } }),
  games: () => call("GET /api/games"),
  game: (name: string, players: number) => call("GET /api/games/{name}", { name, players }),
  preview: (name: string, players: number, options: Options) =>
    call("POST /api/games/{name}/preview", { name, body: { players, options } }),
  rulesFile: (name: string, players: number, options: Options) =>
    call("POST /api/games/{name}/file", { name, body: { players, options } }),
  houseRules: () => call("GET /api/house-rules"),
  readRules: (text: string) => call("POST /api/rules-file", { body: { text } }),
  advice: () => call("GET /api/advice"),
  gameRules: (name: string, players?: number) => call("GET /api/games/{name}/rules", { name, players }),
  tableRules: (table: string) => call("GET /api/tables/{table}/rules", { table }),
  replay: (id: string, hand: number) =>
    isKept(id)
      ? call("GET /api/me/games/{game}/replay", { game: id, hand })
      : call("GET /api/tables/{table}/replay", { table: id, hand }),
  myGames: () => call("GET /api/me/games"),
  keepRecord: (text: string) => call("POST /api/me/games", { body: { text } }),
  dropGame: (game: string) => call("DELETE /api/me/games/{game}", { game }),
  otherwise: (id: string, hand: number, instead: Instead) =>
    isKept(id)
      ? call("POST /api/me/games/{game}/replay", { game: id, body: { hand, instead } })
      : call("POST /api/tables/{table}/replay", { table: id, body: { hand, instead } }),
  otherwiseOf: (text: string, hand: number, instead: Instead) => call("POST /api/replays", { body: { text, hand, instead } }),
  review: (id: string, hand: number, seat: number) =>
    isKept(id)
      ? call("POST /api/me/games/{game}/review", { game: id, hand, seat: reader(seat) })
      : call("POST /api/tables/{table}/review", { table: id, hand, seat: reader(seat) }),
  reviewOf: (text: string, hand: number, seat: number) => call("POST /api/reviews", { seat: reader(seat), body: { text, hand } }),
  reviewed: (review: string, seat: number) => call("GET /api/reviews/{review}", { review, seat: reader(seat) }),
  replayOf: (text: string, hand: number) => call("POST /api/replays", { body: { text, hand } }),
  record: async (id: string) => {
    const answer = await fetch(`${gamePath(id)}/record`, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => null);
    if (!answer?.ok) throw new ApiError(answer?.status ?? 0, "");
    return answer.text();
  },
  puzzles: (filter: Calls["GET /api/puzzles"]["takes"]) => call("GET /api/puzzles", filter),
  puzzle: (puzzle: string) => call("GET /api/puzzles/{puzzle}", { puzzle }),
  nextPuzzle: (filter: Calls["GET /api/puzzles"]["takes"], besides: string) => call("GET /api/puzzles/next", { ...filter, besides }),
  answerPuzzle: (puzzle: string, way: number) => call("POST /api/puzzles/{puzzle}/answer", { puzzle, body: { way } }),
  days: () => call("GET /api/days"),
  day: (day: string) => call("GET /api/days/{day}", { day }),
  playDay: (day: string) => call("POST /api/days/{day}/play", { day }),
  lessons: () => call("GET /api/lessons"),
  practice: (what: NewPractice) => call("POST /api/practice", { body: what }),
  progress: () => call("GET /api/progress"),
  noteDone: (thing: string) => call("PUT /api/progress", { body: { thing } }),
  pushKey: () => call("GET /api/push"),
  keepPush: (subscription: NewPush) => call("POST /api/push", { body: subscription }),
  dropPush: () => call("DELETE /api/push"),
  tables: () => call("GET /api/tables"),
  table: (table: string) => call("GET /api/tables/{table}", { table }),
  order: (table: string, order: RoomOrder) => call("POST /api/tables/{table}/orders", { table, body: { ...order, id: newId() } }),
  createTable: async (table: NewTable) => {
    const made = await call("POST /api/tables", { body: { ...table, start: false } });
    if (table.start) startAtOnce(made.id);
    return made;
  },
};

let arriving: Promise<Me> | null = null;

/**
 * The current user; a new visitor becomes a guest. Concurrent calls still create only one guest.
 *
 * A request that may answer "nobody" would leave an error in the browser's log.
 */
export function ensureGuest(): Promise<Me> {
  arriving ??= api.guest().finally(() => {
    arriving = null;
  });
  return arriving;
}

const LAST_TABLE = "canasta.table";

export function rememberTable(id: string): void {
  try {
    localStorage.setItem(LAST_TABLE, id);
  } catch {
    // storage is unavailable: only the link back from the home page is lost
  }
}

export function lastTable(): string | null {
  try {
    return localStorage.getItem(LAST_TABLE);
  } catch {
    return null;
  }
}

/** The table that *Play now* opens. */
export const PLAY_NOW: NewTable = {
  rules: "caliente",
  players: 4,
  options: {},
  public: false,
  bots: "club",
  clock: 0,
  spectators: true,
  start: true,
};

/** The first game after the lessons, with the rules that they teach. */
export const FIRST_GAME: NewTable = { ...PLAY_NOW, rules: "original", bots: "novice" };
