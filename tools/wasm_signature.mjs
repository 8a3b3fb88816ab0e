// Prints the signature that a WebAssembly build computes, or that of its bots:
// node wasm_signature.mjs build/wasm/signature.wasm [bots_signature]
import { readFileSync } from "node:fs";

const [file, number = "signature"] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(file), {});
console.log(BigInt.asUintN(64, instance.exports[number]()).toString(16).padStart(16, "0"));
