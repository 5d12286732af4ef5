// Keeps the page on this device, so that it opens without a network. The worker keeps the parts of the program.

const CACHE = new URL(self.location.href).searchParams.get("of");
const SHELL = ["./", "hosted.js", "program.js", "showing.js", "pasting.js", "trying.js", "worker.js", "orders.js", "sealing.js", "pyodide.mjs", "pyodide-lock.json", "page.webmanifest", "icon.svg"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((kept) => kept.addAll(SHELL)).then(() => self.skipWaiting()));
});

/** Removes earlier versions once this one is complete. */
self.addEventListener("activate", (event) => {
  const clean = caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE && name.startsWith("adjudicator ")).map((name) => caches.delete(name))));
  event.waitUntil(clean.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.open(CACHE).then((kept) => kept.match(event.request, { ignoreSearch: event.request.mode === "navigate" })).then((found) => found ?? fetch(event.request)));
});
