// How fast the engine is in a browser, against the program: node wasm_speed.mjs BUILD/wasm/bench.wasm HAIRPIN
// Both are measured in turn, so that a noisy moment of the machine falls on both; the best counts.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [wasm, hairpin] = process.argv.slice(2);
const { turns } = (await WebAssembly.instantiate(readFileSync(wasm), {})).instance.exports;

function measureWasm() {
  const start = performance.now();
  let n = 0;
  while (performance.now() - start < 1000) n += Number(turns(6, 50));
  return n / (performance.now() - start) / 1000;
}

function measureProgram() {
  const table = execFileSync(hairpin, ['bench', '--seconds', '1', '--lang', 'en'], { encoding: 'utf8' });
  return Number(/^6 cars +([\d.]+)/m.exec(table)[1]);
}

measureWasm(); // until it is compiled
const found = [1, 2, 3].map(() => [measureWasm(), measureProgram(), measureWasm()]);
const browser = Math.max(...found.flatMap(([before, , after]) => [before, after]));
const program = Math.max(...found.map(([, native]) => native));
const part = (browser / program).toFixed(2);
console.log(`WebAssembly: ${browser.toFixed(2)} million turns/s, ${part} of the program's ${program.toFixed(2)}`);
