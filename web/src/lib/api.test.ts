import { afterEach, describe, expect, it, vi } from "vitest";
import { api, ApiError, ensureGuest } from "./api";

interface Call {
  method: string;
  path: string;
  body: unknown;
}

/** Answers requests from a table of `METHOD /path` and records the requests. */
function serve(answers: Record<string, [number, unknown] | "offline">): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    const method = init.method ?? "GET";
    calls.push({ method, path, body: typeof init.body === "string" ? JSON.parse(init.body) : undefined });
    const answer = answers[`${method} ${path}`];
    if (answer === undefined || answer === "offline") throw new TypeError("Failed to fetch");
    const [status, content] = answer;
    const text = typeof content === "string" ? content : JSON.stringify(content);
    return new Response(status === 204 ? null : text, { status });
  });
  return calls;
}

async function problem(work: Promise<unknown>): Promise<ApiError> {
  const caught = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(caught instanceof ApiError)) throw new Error("no ApiError");
  return caught;
}

afterEach(() => vi.unstubAllGlobals());

const guest = { name: "Guest", account: false, guest: true };

describe("api", () => {
  it("sends JSON and reads JSON", async () => {
    const calls = serve({ "PATCH /api/me": [200, { ...guest, name: "South" }] });
    expect((await api.rename("South")).name).toBe("South");
    expect(calls).toEqual([{ method: "PATCH", path: "/api/me", body: { name: "South" } }]);
  });

  it("writes names into addresses safely", async () => {
    const calls = serve({});
    await problem(api.game("../tables", 4));
    expect(calls[0]?.path).toBe("/api/games/..%2Ftables?players=4");
  });

  it("tells the server's own sentence", async () => {
    serve({ "POST /api/login": [401, { status_code: 401, detail: "Wrong name or password." }] });
    const caught = await problem(api.signIn("South", "wrong"));
    expect([caught.status, caught.message]).toEqual([401, "Wrong name or password."]);
  });

  it("has a status of 0 without a server, and no message where an answer is no JSON", async () => {
    serve({ "GET /api/games": "offline", "GET /api/tables": [502, "<html>Bad Gateway</html>"] });
    expect((await problem(api.games())).status).toBe(0);
    const gateway = await problem(api.tables());
    expect([gateway.status, gateway.message]).toEqual([502, ""]);
  });

  it("takes an empty answer", async () => {
    serve({ "POST /api/logout": [204, ""] });
    expect(await api.signOut()).toBeNull();
  });
});

describe("ensureGuest", () => {
  it("stays who it is", async () => {
    const calls = serve({ "POST /api/guests": [200, { ...guest, name: "South" }] });
    expect((await ensureGuest()).name).toBe("South");
    expect(calls.length).toBe(1);
  });

  it("makes one guest, however many ask at once", async () => {
    const calls = serve({ "POST /api/guests": [200, guest] });
    await Promise.all([ensureGuest(), ensureGuest(), ensureGuest()]);
    expect(calls.map((call) => [call.method, call.body])).toEqual([["POST", {}]]);
  });

  it("does not make a guest when the server is in trouble, and asks again later", async () => {
    serve({ "POST /api/guests": [503, { detail: "The database cannot be used now." }] });
    expect((await problem(ensureGuest())).status).toBe(503);
    serve({ "POST /api/guests": [200, guest] });
    expect(await ensureGuest()).toEqual(guest);
  });
});
