// Word that it is one's turn, for a page that is out of sight; only where the player has asked for it.

import { api } from "./api";
import { settings } from "./settings.svelte";

const TAG = "turn";

export type Permission = "granted" | "barred";

export function canNotify(): boolean {
  return typeof Notification !== "undefined";
}

/** Asks the browser, which asks the player. */
export async function askToNotify(): Promise<Permission> {
  if (!canNotify()) return "barred";
  return (await Notification.requestPermission()) === "granted" ? "granted" : "barred";
}

/** Phones show notices of a service worker only, so that they all come from there. */
async function worker(): Promise<ServiceWorkerRegistration | null> {
  return (await navigator.serviceWorker?.getRegistration()) ?? null;
}

/** One after the other: taking back must not close the notice of the turn that has come meanwhile. */
let last: Promise<void> = Promise.resolve();

function inTurn(work: () => Promise<void>): Promise<void> {
  last = last.then(work, work);
  return last;
}

export function tellTurn(title: string, body: string): Promise<void> {
  return inTurn(async () => {
    if (!settings.notify || !document.hidden || !canNotify() || Notification.permission !== "granted") return;
    await (await worker())?.showNotification(title, { body, tag: TAG, icon: "/icon-192.png", data: location.pathname });
  });
}

/** Whoever is back, or has played, needs no reminder. */
export function takeNoticesBack(): Promise<void> {
  return inTurn(async () => {
    if (!settings.notify) return;
    for (const notice of (await (await worker())?.getNotifications({ tag: TAG })) ?? []) notice.close();
  });
}

/** The server tells of one's turn also when no page is open, where it and the browser can. Whether they do. */
export async function subscribe(): Promise<boolean> {
  const pushes = (await worker())?.pushManager;
  if (!pushes || !canNotify() || Notification.permission !== "granted") return false;
  try {
    const { key } = await api.pushKey();
    if (!key) return false;
    let held = await pushes.getSubscription();
    if (held && keyOf(held) !== key) {
      // The server has another key than it had: to this one it could not write.
      await held.unsubscribe();
      held = null;
    }
    held ??= await pushes.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = held.toJSON();
    await api.keepPush({ endpoint: endpoint ?? "", p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" });
    return true;
  } catch {
    return false; // The push service or the server said no: notices come while the page is open.
  }
}

function keyOf(held: PushSubscription): string {
  const raw = new Uint8Array(held.options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...raw)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function unsubscribe(): Promise<void> {
  const held = await (await worker())?.pushManager?.getSubscription();
  if (!held) return;
  await held.unsubscribe().catch(() => false);
  await api.dropPush().catch(() => null); // A notice that comes nevertheless ends it: its address is gone.
}
