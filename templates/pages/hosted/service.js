// Keeps the page on this device, so that it opens without a network. The worker keeps the parts of the program.
//
// Above this, `adjudicator page` has written the version's own name, OF, and the files to keep, FILES.

const NAMED = "adjudicator ", CACHE = `${NAMED}${OF}`;
const PATIENCE = 5000; // milliseconds for a first page from a network that hardly works, if there is one on this device

self.addEventListener("install", (event) => {
  const fresh = FILES.map((name) => new Request(name, { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((kept) => kept.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request, name = url.slice(self.registration.scope.length);
  if (method !== "GET" || !url.startsWith(self.registration.scope) || name === "version.json") return;
  const own = /^[0-9a-f]{16}\//.test(name);  // below the name of a version nothing ever changes
  event.respondWith(own ? keptFirst(event.request) : networkFirst(event.request));
});

async function keptFirst(request) {
  return await caches.match(request) ?? fetch(request);
}

async function networkFirst(request) {
  const known = await kept(request);
  try {
    const found = await fetch(request, { cache: "no-cache", signal: known && AbortSignal.timeout(PATIENCE) });
    return found.status < 400 || !known ? found : known;
  } catch (error) {
    if (known) return known;
    throw error;
  }
}

/** A file, or the first page: the newest that is here with its whole program, or else the one that is here longest. */
async function kept(request) {
  if (request.mode !== "navigate") return caches.match(request);
  let any;
  for (const name of (await caches.keys()).filter((each) => each.startsWith(NAMED)).reverse()) {
    const version = await caches.open(name), first = await version.match(self.registration.scope);
    if (first && await version.match(`${name.slice(NAMED.length)}/complete`)) return first;
    any = first ?? any;
  }
  return any;
}
