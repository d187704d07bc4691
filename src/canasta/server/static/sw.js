// Keeps the page itself at hand, so that it opens without a connection and says so in its own words.
// The table lives on the server: nothing under /api or /ws is ever kept.

const CACHE = "canasta-3";
const PAGE = "/";
const PATIENCE_MS = 4000;

self.addEventListener("install", (event) => {
  event.waitUntil(keepEverything().then(() => self.skipWaiting()));
});

/** The page and all that it may load later, so that a table opened once also opens offline. */
async function keepEverything() {
  const cache = await caches.open(CACHE);
  const kept = new Set([PAGE]);
  let wanted = [PAGE];
  while (wanted.length > 0) {
    const texts = await Promise.all(wanted.map((path) => keep(cache, path)));
    wanted = texts.flatMap(namesIn).filter((path) => !kept.has(path) && speaks(path));
    wanted = [...new Set(wanted)];
    for (const path of wanted) kept.add(path);
  }
}

async function keep(cache, path) {
  const answer = await fetch(path, { cache: "no-cache" });
  if (!answer.ok) {
    if (path === PAGE) throw new Error("the page is not there");
    return "";
  }
  await cache.put(path, answer.clone());
  return path === PAGE || /\.(js|css)$/.test(path) ? answer.text() : "";
}

/** Files that a text of ours names: `./Card.js`, `assets/Card.css`, `url(/assets/font.woff2)`. */
function namesIn(text) {
  const found = text.matchAll(/(?:\.\/|\/?assets\/)([\w-]+(?:\.[\w-]+)*\.(?:js|css|svg|woff2))\b/g);
  return [...found].map((match) => `/assets/${match[1]}`);
}

/** Of the languages the browser's own, and English, which stands in for others; more are kept once they are chosen. */
function speaks(path) {
  const words = /\/texts-([\w-]+)\.js$/.exec(path)?.[1].split("-");
  return !words || words.includes("en") || words.includes(self.navigator.language.slice(0, 2));
}

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith("/api/") || url.pathname.startsWith("/ws/")) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (url.pathname.startsWith("/assets/") || /\.(svg|png|webmanifest)$/.test(url.pathname)) {
    event.respondWith(newest(request));
  }
});

/** Every address shows the same page: from the network, or the kept one when that takes too long. */
async function page(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (answer.ok) await cache.put(PAGE, answer.clone());
    return answer;
  } catch {
    return (await cache.match(PAGE)) ?? Response.error();
  }
}

/** File names stay the same from build to build, so the network comes first; unchanged files cost a 304. */
async function newest(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch {
    return (await cache.match(request)) ?? Response.error();
  }
}

/** Word of the server that it is one's turn, for a browser in which the table is closed. */
self.addEventListener("push", (event) => {
  event.waitUntil(tell(event.data));
});

async function tell(data) {
  const { table, text } = data.json();
  const path = `/t/${encodeURIComponent(table)}`;
  await self.registration.showNotification(text, { tag: "turn", icon: "/icon-192.png", data: path });
}

/** A tap on a notice leads to the table that it tells of. */
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(comeTo(event.notification.data ?? PAGE));
});

async function comeTo(path) {
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = open.find((client) => new URL(client.url).pathname === path);
  return there ? there.focus() : self.clients.openWindow(path);
}
