// The page to show. Links are ordinary links; a plain click on an internal one doesn't reload the page.

export type Route =
  | { page: "home" }
  | { page: "new" }
  | { page: "table"; id: string }
  | { page: "played_on"; id: string; replay: string }
  | { page: "rules"; game: string; clause: string }
  | { page: "games" }
  | { page: "glossary"; word: string }
  | { page: "advice" }
  | { page: "tip"; id: string }
  | { page: "replay"; id: string }
  | { page: "puzzles" }
  | { page: "puzzle"; id: string }
  | { page: "day"; date: string }
  | { page: "learn" }
  | { page: "lesson"; id: string }
  | { page: "nowhere" };

export function parse(path: string, hash = "", search = ""): Route {
  const parts = path.split("/").filter(Boolean);
  const [first, second] = parts;
  if (parts.length === 0) return { page: "home" };
  if (parts.length === 1 && first === "new") return { page: "new" };
  if (parts.length === 1 && first === "rules") return { page: "rules", game: "", clause: "" };
  if (parts.length === 1 && first === "games") return { page: "games" };
  if (parts.length === 1 && first === "advice") return { page: "advice" };
  if (parts.length === 1 && first === "glossary") return { page: "glossary", word: decoded(hash.replace(/^#/, "")) };
  if (parts.length === 1 && first === "puzzles") return { page: "puzzles" };
  if (parts.length === 1 && first === "day") return { page: "day", date: "" };
  if (parts.length === 1 && first === "learn") return { page: "learn" };
  if (parts.length === 1 && first === "replay") return { page: "replay", id: "" };
  if (parts.length === 2 && second !== undefined) {
    const replay = new URLSearchParams(search).get("replay");
    if (first === "t" && replay !== null) return { page: "played_on", id: decoded(second), replay: `${replayPath(replay)}?review${hash}` };
    if (first === "t") return { page: "table", id: decoded(second) };
    if (first === "advice") return { page: "tip", id: decoded(second) };
    if (first === "replay") return { page: "replay", id: decoded(second) };
    if (first === "puzzles") return { page: "puzzle", id: decoded(second) };
    if (first === "day") return { page: "day", date: decoded(second) };
    if (first === "learn") return { page: "lesson", id: decoded(second) };
    if (first === "rules") return { page: "rules", game: decoded(second), clause: decoded(hash.replace(/^#/, "")) };
  }
  return { page: "nowhere" };
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
  route = $state.raw<Route>(typeof location === "undefined" ? { page: "home" } : here());
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
