// Keeps the page itself at hand, so that it opens without a connection and says so in its own words.
// The table lives on the server: nothing under /api or /ws is ever kept.

const CACHE = "canasta-1";
const PAGE = "/";
const PATIENCE_MS = 4000;

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      const page = await fetch(PAGE, { cache: "no-cache" });
      if (!page.ok) throw new Error("the page is not there");
      const parts = [...(await page.clone().text()).matchAll(/(?:src|href)="(\/[^"/][^"]*)"/g)].map((found) => found[1]);
      await cache.put(PAGE, page);
      await Promise.all(parts.map((part) => cache.add(new Request(part, { cache: "no-cache" })).catch(() => {})));
      await self.skipWaiting();
    })(),
  );
});

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
