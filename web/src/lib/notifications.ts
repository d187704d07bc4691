// Turn alerts for a page in the background, if the player has asked for them.

import { api } from "./api";
import { settings } from "./settings.svelte";

const TAG = "turn";

export type Permission = "granted" | "barred";

export function canNotify(): boolean {
  return typeof Notification !== "undefined";
}

/** Request the player's permission through the browser. */
export async function askToNotify(): Promise<Permission> {
  if (!canNotify()) return "barred";
  return (await Notification.requestPermission()) === "granted" ? "granted" : "barred";
}

/** Phones show notifications only from a service worker, so all of them go through it. */
async function worker(): Promise<ServiceWorkerRegistration | null> {
  return (await navigator.serviceWorker?.getRegistration()) ?? null;
}

/** One at a time: closing notifications must not close one that has arrived in the meantime. */
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

/** A player who is back, or has moved, needs no reminder. */
export function takeNoticesBack(): Promise<void> {
  return inTurn(async () => {
    if (!settings.notify) return;
    for (const notice of (await (await worker())?.getNotifications({ tag: TAG })) ?? []) notice.close();
  });
}

/**
 * Subscribe to turn alerts for when no page is open, if the server and the browser support them. Return whether it
 * worked.
 */
export async function subscribe(): Promise<boolean> {
  const pushes = (await worker())?.pushManager;
  if (!pushes || !canNotify() || Notification.permission !== "granted") return false;
  try {
    const { key } = await api.pushKey();
    if (!key) return false;
    let held = await pushes.getSubscription();
    if (held && keyOf(held) !== key) {
      // The server has a new key and could not send to this subscription.
      await held.unsubscribe();
      held = null;
    }
    held ??= await pushes.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = held.toJSON();
    await api.keepPush({ endpoint: endpoint ?? "", p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" });
    return true;
  } catch {
    return false; // The push service or the server refused: alerts arrive only while the page is open.
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
  await api.dropPush().catch(() => null); // If this fails, the next alert ends the subscription, whose address is gone.
}
