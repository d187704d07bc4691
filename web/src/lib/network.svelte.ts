// Whether the requested page could be fetched. If not, "No connection" replaces it until it can be.

import { ApiError } from "./api";
import { problemText } from "./messages";

class Network {
  /** What could not be fetched: the code of a page, or its data. */
  lost = $state<"" | "code" | "data">("");
}

export const network = new Network();

/** The code of a page, or its texts, could not be fetched. */
export function loseCode(): void {
  network.lost = "code";
}

/** A sentence that says why a page could not be loaded; without a connection, the page gives way to "No connection". */
export function loadProblem(caught: unknown, known: Record<number, string> = {}): string {
  if (!(caught instanceof ApiError)) loseCode();
  else if (caught.status === 0) network.lost ||= "data";
  return problemText(caught, known);
}

/** Return whether the server answers. */
export async function serverAnswers(): Promise<boolean> {
  return fetch("/api/health", { cache: "no-store", signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

const RELOADED = "canasta.reloaded";
const RELOAD_AGAIN_AFTER = 60_000;

/**
 * `recover`, but don't reload a page over and over if the server doesn't have its code. Return whether it recovered.
 */
export function recoverOnce(): boolean {
  if (network.lost === "code") {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < RELOAD_AGAIN_AFTER) return false;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  }
  recover();
  return true;
}

/** Show the page again. A browser may remember that code could not be fetched, so the page has to be reloaded. */
export function recover(): void {
  if (network.lost === "code") location.reload();
  else network.lost = "";
}
