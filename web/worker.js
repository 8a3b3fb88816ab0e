// A browser's own tables: keeper.js with IndexedDB as its store, for link.js on the other side.

import { loadEngine } from './engine.js';
import { createKeeper, createMemory } from './keeper.js';

// ---- The store

const wait = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const done = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });

function openDatabase() {
  const request = indexedDB.open('hairpin', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('tables', { keyPath: 'id' });
    request.result.createObjectStore('entries', { keyPath: ['id', 'n'] });
  };
  return wait(request);
}

const ofTable = (id) => IDBKeyRange.bound([id, 0], [id, Infinity]);

async function openStore() {
  const database = await openDatabase();
  const read = (name) => database.transaction(name).objectStore(name);
  const write = async (names, change) => {
    const transaction = database.transaction(names, 'readwrite');
    change((name) => transaction.objectStore(name));
    await done(transaction);
  };
  return {
    tables: () => wait(read('tables').getAll()),
    table: (id) => wait(read('tables').get(id)),
    entries: (id) => wait(read('entries').getAll(ofTable(id))),
    create: (record) => write(['tables'], (at) => at('tables').add(record)),
    append: (entry) =>
      write(['tables', 'entries'], (at) => {
        const found = at('tables').getKey(entry.id);
        found.onsuccess = () => (found.result ? at('entries').add(entry) : found.transaction.abort());
      }),
    count: (id) => wait(read('entries').count(ofTable(id))),
    change: (id, members) =>
      write(['tables'], (at) => {
        const found = at('tables').get(id);
        found.onsuccess = () => found.result && at('tables').put({ ...found.result, ...members });
      }),
    forget: (id) =>
      write(['tables', 'entries'], (at) => {
        at('tables').delete(id);
        at('entries').delete(ofTable(id));
      }),
  };
}

// ---- Other tabs: whoever holds the lock of a table drives its bots; all hear of new entries

const channel = new BroadcastChannel('hairpin');
const locks = new Map(); // by table: 'asked', or what gives the lock back

function lock(id) {
  if (!navigator.locks || locks.has(id)) return;
  locks.set(id, 'asked');
  navigator.locks.request(`hairpin ${id}`, async () => {
    if (!isFollowed(id)) {
      locks.delete(id);
      return;
    }
    const released = new Promise((release) => locks.set(id, release));
    (await keeper()).drive(id);
    await released;
  });
}

function unlock(id) {
  const release = locks.get(id);
  if (typeof release !== 'function') return;
  locks.delete(id);
  release();
}

const mayDrive = (id) => !navigator.locks || typeof locks.get(id) === 'function';

async function make() {
  const [module, store] = await Promise.all([loadEngine(), openStore().catch(createMemory)]);
  return createKeeper({ module, store, mayDrive, changed: (id) => channel.postMessage(id) });
}

let made = null; // a promise; where the engine could not be fetched, the next who asks has it tried again
const keeper = () =>
  (made ??= make().catch((error) => {
    made = null;
    throw error;
  }));
keeper().catch(() => {}); // there is time before anybody asks
channel.onmessage = async ({ data }) => (await made?.catch(() => null))?.refresh(data);

// ---- The page

const followers = new Map(); // by the page's number: {id, what follow returns}
const isFollowed = (id) => [...followers.values()].some((follower) => follower.id === id);

async function follow({ number, id, token, since }) {
  const tell = (text) => postMessage({ number, text });
  const end = (code = 'no_such_table') => postMessage({ number, status: 'gone', code });
  const following = keeper().then((it) => it.follow(id, token, since, { tell, end }));
  followers.set(number, { id, following });
  lock(id);
  try {
    await following;
  } catch (error) {
    close({ number }).catch(() => {});
    if (error.code === 'offline') postMessage({ number, status: 'lost' });
    else end(error.code ?? 'failed');
  }
}

async function say({ number, line }) {
  (await followers.get(number)?.following)?.say(line);
}

async function close({ number }) {
  const { id, following } = followers.get(number) ?? {};
  followers.delete(number);
  if (!isFollowed(id)) unlock(id);
  (await following)?.close();
}

async function call({ number, name, args }) {
  try {
    postMessage({ number, value: await (await keeper())[name](...args) });
  } catch (error) {
    postMessage({ number, error: { code: error.code ?? 'failed', text: error.text ?? String(error) } });
  }
}

const does = { follow, say, close, call };
onmessage = ({ data }) => does[data.what](data).catch(() => {});
