import { afterEach, describe, expect, it, vi } from "vitest";
import serviceWorker from "../../public/sw.js?raw";
import { subscribe, takeNoticesBack, tellTurn, unsubscribe } from "./notifications";
import { settings } from "./settings.svelte";

const KEY = "BCVxsr7N_eNg";

/** A browser with or without a subscription to a key; `asked` records the requests to it and to the server. */
function browser({ offered = KEY, held = "", permission = "granted", refuses = false } = {}): string[] {
  const asked: string[] = [];
  const subscription = (key: string) => ({
    options: { applicationServerKey: Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)).buffer },
    toJSON: () => ({ endpoint: `https://push/${key}`, keys: { p256dh: "p", auth: "a" } }),
    unsubscribe: async () => asked.push("unsubscribe"),
  });
  const pushManager = {
    getSubscription: async () => (held ? subscription(held) : null),
    subscribe: async (options: { userVisibleOnly: boolean; applicationServerKey: string }) => {
      if (refuses) throw new DOMException("no push service");
      asked.push(`subscribe ${options.userVisibleOnly} ${options.applicationServerKey}`);
      return subscription(options.applicationServerKey);
    },
  };
  vi.stubGlobal("Notification", { permission });
  vi.stubGlobal("navigator", { serviceWorker: { getRegistration: async () => ({ pushManager }) } });
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    asked.push(`${init.method} ${path} ${init.body ?? ""}`.trim());
    return init.method === "GET" ? new Response(JSON.stringify({ key: offered })) : new Response(null, { status: 204 });
  });
  return asked;
}

const KEEPS = `POST /api/push {"endpoint":"https://push/${KEY}","p256dh":"p","auth":"a"}`;

afterEach(() => vi.unstubAllGlobals());

describe("a notice on a page that is out of sight", () => {
  it("is not closed by what takes the one before it back, however slow that is", async () => {
    const shown: string[] = ["the turn before"];
    let answer = (): void => {};
    const slow = new Promise<void>((resolve) => (answer = resolve));
    const registration = {
      getNotifications: () =>
        slow.then(() => shown.map((title) => ({ close: () => shown.splice(shown.indexOf(title), 1) }))),
      showNotification: async (title: string) => void shown.push(title),
    };
    vi.stubGlobal("Notification", { permission: "granted" });
    vi.stubGlobal("document", { hidden: true });
    vi.stubGlobal("location", { pathname: "/t/abc" });
    vi.stubGlobal("navigator", { serviceWorker: { getRegistration: async () => registration } });
    settings.notify = true;
    const back = takeNoticesBack();
    const told = tellTurn("Your turn", "");
    answer();
    await Promise.all([back, told]);
    settings.notify = false;
    expect(shown).toEqual(["Your turn"]);
  });
});

describe("notices for a closed page", () => {
  it("subscribes to the server's key and tells the server", async () => {
    const asked = browser();
    expect(await subscribe()).toBe(true);
    expect(asked).toEqual(["GET /api/push", `subscribe true ${KEY}`, KEEPS]);
  });

  it("keeps a subscription to the same key, and tells the server again", async () => {
    const asked = browser({ held: KEY });
    expect(await subscribe()).toBe(true);
    expect(asked).toEqual(["GET /api/push", KEEPS]);
  });

  it("leaves a subscription to another key", async () => {
    const asked = browser({ held: "AAAA" });
    expect(await subscribe()).toBe(true);
    expect(asked).toEqual(["GET /api/push", "unsubscribe", `subscribe true ${KEY}`, KEEPS]);
  });

  it.each([
    [{ offered: "" }, ["GET /api/push"]],
    [{ refuses: true }, ["GET /api/push"]],
    [{ permission: "denied" }, []],
  ])("does without where it cannot be had: %j", async (how, expected) => {
    const asked = browser(how);
    expect(await subscribe()).toBe(false);
    expect(asked).toEqual(expected);
  });

  it("ends it at the push service and at the server, and asks nobody where there is none", async () => {
    const asked = browser({ held: KEY });
    await unsubscribe();
    expect(asked).toEqual(["unsubscribe", "DELETE /api/push"]);
    const none = browser();
    await unsubscribe();
    expect(none).toEqual([]);
  });
});

describe("the service worker", () => {
  type Listener = (event: { waitUntil(work: Promise<unknown>): void; [more: string]: unknown }) => void;

  /** The worker's actions on an event while these pages are open. */
  async function happens(name: string, event: object, open: string[] = []): Promise<unknown[]> {
    const did: unknown[] = [];
    const listeners: Record<string, Listener> = {};
    const self = {
      addEventListener: (kind: string, listener: Listener) => (listeners[kind] = listener),
      registration: { showNotification: async (...what: unknown[]) => did.push(what) },
      clients: {
        matchAll: async () => open.map((url) => ({ url, focus: () => did.push(`focus ${url}`) })),
        openWindow: (path: string) => did.push(`open ${path}`),
      },
    };
    new Function("self", serviceWorker)(self);
    let work: Promise<unknown> = Promise.reject(new Error("nothing to wait for"));
    work.catch(() => null);
    listeners[name]!({ ...event, waitUntil: (given) => (work = given) });
    await work;
    return did;
  }

  it("shows what the server tells", async () => {
    const data = { json: () => ({ table: "abc", text: "Dein Zug" }) };
    expect(await happens("push", { data })).toEqual([
      ["Dein Zug", { tag: "turn", icon: "/icon-192.png", data: "/t/abc" }],
    ]);
  });

  it("leads to the table, in the page that shows it or in a new one", async () => {
    const notification = { close: () => null, data: "/t/abc" };
    const elsewhere = "https://cards/t/other";
    expect(await happens("notificationclick", { notification }, [elsewhere])).toEqual(["open /t/abc"]);
    const there = "https://cards/t/abc";
    expect(await happens("notificationclick", { notification }, [elsewhere, there])).toEqual([`focus ${there}`]);
  });
});
