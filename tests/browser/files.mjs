// The page's files: a web host that knows nothing of races, and what they weigh on the wire.

import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { BINARY_DIR } from './helpers.mjs';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml', '.webmanifest': 'application/manifest+json' };

/** Serves a folder, such as `make site` writes, as any web host would. */
export function staticSite(folder = join(BINARY_DIR, 'site')) {
  const host = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://host').pathname);
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  return new Promise((done) => host.listen(0, '127.0.0.1', () => done({
    origin: `http://127.0.0.1:${host.address().port}`,
    close: () => {
      host.closeAllConnections();
      host.close();
    },
  })));
}

/** [{name, bytes}]: bodies as they travel, compressed. */
export async function weigh(origin, names) {
  const one = (name) => new Promise((done, fail) => {
    get(origin + name, { headers: { 'Accept-Encoding': 'gzip' } }, (answer) => {
      let bytes = 0;
      answer.on('data', (piece) => (bytes += piece.length)).on('end', () => done({ name, bytes })).on('error', fail);
    }).on('error', fail);
  });
  const weighed = [];
  for (const name of names) weighed.push(await one(name));
  return weighed.sort((a, b) => b.bytes - a.bytes);
}
