// Word that it is one's turn, for a page that is out of sight; only where the player has asked for it.

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

export async function tellTurn(title: string, body: string): Promise<void> {
  if (!settings.notify || !document.hidden || !canNotify() || Notification.permission !== "granted") return;
  await (await worker())?.showNotification(title, { body, tag: TAG, icon: "/icon-192.png", data: location.pathname });
}

/** Whoever is back, or has played, needs no reminder. */
export async function takeNoticesBack(): Promise<void> {
  if (!settings.notify) return;
  for (const notice of (await (await worker())?.getNotifications({ tag: TAG })) ?? []) notice.close();
}
