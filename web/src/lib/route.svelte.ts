// The page to show. Links are ordinary links; a plain click on an internal one doesn't reload the page.

import { PAGES } from "./pages";

export type PageName = keyof typeof PAGES | "played_on" | "nowhere";

export interface Route {
  page: PageName;
  /** The part of the path that chooses what the page shows, if any. */
  id: string;
  /** The fragment: a clause of the rules, a word of the glossary. */
  part: string;
  /** The link back to the replay from which a game was played on. */
  replay: string;
}

export function parse(path: string, hash = "", search = ""): Route {
  const parts = path.split("/").filter(Boolean);
  const page = (Object.keys(PAGES) as (keyof typeof PAGES)[]).find((name) => fits(parts, PAGES[name]));
  const found: Route = { page: page ?? "nowhere", id: decoded(parts[1] ?? ""), part: decoded(hash.replace(/^#/, "")), replay: "" };
  const replay = new URLSearchParams(search).get("replay");
  if (page !== "table" || replay === null) return found;
  return { ...found, page: "played_on", replay: `${replayPath(replay)}?review${hash}` };
}

function fits(parts: readonly string[], pattern: string): boolean {
  const [first, id] = pattern.split("/").filter(Boolean);
  if (parts[0] !== first || parts.length > 2) return false;
  return parts.length === 2 ? id !== undefined : id !== "{id}";
}

/** Without an id, the page for imported records. */
function replayPath(id: string): string {
  return id ? `/replay/${encodeURIComponent(id)}` : "/replay";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function here(): Route {
  return parse(location.pathname, location.hash, location.search);
}

class Where {
  route = $state.raw<Route>(typeof location === "undefined" ? parse("/") : here());
}

const where = new Where();

export function route(): Route {
  return where.route;
}

function look(): void {
  where.route = here();
}

export function go(path: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  look();
  scrollTo(0, 0);
}

function followed(event: MouseEvent): void {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!plain || event.defaultPrevented || !(event.target instanceof Element)) return;
  const link = event.target.closest("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  // Requests that the server answers itself (records, the API) and jumps within a page are left to the browser.
  if (parse(link.pathname).page === "nowhere") return;
  if (link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

export function startRouting(): () => void {
  look();
  addEventListener("popstate", look);
  addEventListener("hashchange", look);
  document.addEventListener("click", followed);
  return () => {
    removeEventListener("popstate", look);
    removeEventListener("hashchange", look);
    document.removeEventListener("click", followed);
  };
}
