// Stores the page's own files, so that it opens without a network; the client stores the boards.
const cacheName = "demo";
const page = new URL("../demo", location.href).pathname;
const files = [page, "app.js", "style.css"];

const storeFiles = async () => (await caches.open(cacheName)).addAll(files);

/** The answer of the service, which is stored; without a network the stored one. */
async function load(request) {
  const cache = await caches.open(cacheName);
  try {
    const response = await fetch(request);
    // Without the query, which can have a token.
    if (response.ok) await cache.put(new URL(request.url).pathname, response.clone());
    return response;
  } catch (error) {
    const stored = await cache.match(request, { ignoreSearch: true });
    if (stored === undefined) throw error;
    return stored;
  }
}

addEventListener("install", (event) => event.waitUntil(storeFiles()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  const isOwn = pathname === page || pathname.startsWith(`${page}/`);
  if (method === "GET" && origin === location.origin && isOwn) {
    event.respondWith(load(event.request));
  }
});
