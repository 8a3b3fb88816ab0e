// Prints the signature that a WebAssembly build computes: node wasm_signature.mjs build/wasm/signature.wasm
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
console.log(BigInt.asUintN(64, instance.exports.signature()).toString(16).padStart(16, "0"));
