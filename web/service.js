// The service worker: all files of the page are kept, so that it opens at once and without a network. The build fills
// in the version, a hash of all files, their names, and the beginning of a hash of each. Another version is another
// cache, which waits until no page of the old one is open, so that no page ever gets files of two.

const VERSION = '@VERSION@';
const FILES = '@FILES@'.split(' ');
const HASHES = '@HASHES@'.split(' ');
const CACHE = `hairpin-${VERSION}`;

/** A host may have files of two versions while they are copied there: then all stays as it is, until the next visit. */
async function keep(cache, name, hash) {
  const answer = await fetch(name, { cache: 'no-cache' });
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await answer.clone().arrayBuffer()));
  const found = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (!answer.ok || !found.startsWith(hash)) throw new Error(`${name} is of another version`);
  await cache.put(name, answer);
}

self.addEventListener('install', (event) => {
  const keepAll = async () => {
    const cache = await caches.open(CACHE);
    await Promise.all([keep(cache, './', HASHES[FILES.indexOf('index.html')]),
      ...FILES.map((name, i) => keep(cache, name, HASHES[i]))]);
  };
  event.waitUntil(keepAll());
});

self.addEventListener('activate', (event) => {
  const tidy = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith('hairpin-') && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

/** Only the page's own files: what the server says about races is never kept. */
async function answer(request) {
  const kept = await (await caches.open(CACHE)).match(request, { ignoreSearch: true });
  return kept ?? fetch(request);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { scope } = self.registration;
  const ours = request.url.startsWith(scope) && !request.url.startsWith(`${scope}api/`);
  if (request.method === 'GET' && ours) event.respondWith(answer(request));
});

/** Windows of the page, the one that was used last before the others. */
async function windows() {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return all.filter(({ url }) => url.startsWith(self.registration.scope));
}

/** The race that a notification was about: where it is shown, else in any window, else in a new one. */
async function showRace(hash) {
  const open = await windows();
  const window = open.find(({ url }) => url.endsWith(hash)) ?? open[0];
  if (!window) {
    await self.clients.openWindow(self.registration.scope + hash);
    return;
  }
  window.postMessage({ go: hash });
  await window.focus();
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showRace(event.notification.data));
});
