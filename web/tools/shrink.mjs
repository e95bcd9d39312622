// Makes a WebAssembly module of Go 1.26 smaller after compression, without
// changing what it does: shrink.mjs module.wasm. What is done and why stands in
// shrink/*.mjs. Whatever is not as it is known of Go 1.26 ends with an error.
import {readFileSync, writeFileSync} from 'node:fs';
import {readFlow} from './shrink/flow.mjs';
import {Module} from './shrink/module.mjs';
import {peephole} from './shrink/peephole.mjs';
import {addHelpers, rewrite} from './shrink/rewrite.mjs';
import {Runtime} from './shrink/runtime.mjs';
import {stripTypes} from './shrink/types.mjs';
import {clearPowersOfTen, findUnused, silence, trap} from './shrink/unused.mjs';

function shrink(bytes) {
  const module = new Module(bytes);
  const runtime = new Runtime(module);
  const flows = runtime.functions.map((f, i) => (module.isGo(i) && !f.assembly ? readFlow(module.functions[i], i) : undefined));
  silence(module, runtime, flows);
  const dead = findUnused(module, runtime, flows);
  for (const i of dead) {
    trap(module, runtime, i);
    flows[i] = undefined;
  }
  clearPowersOfTen(module, runtime, dead);
  const helpers = addHelpers(module, runtime);
  for (const flow of flows) {
    const body = flow && rewrite(flow, runtime.functions[flow.index], helpers);
    if (body) module.functions[flow.index] = {...body, code: peephole(body.code)};
  }
  stripTypes(module, runtime);
  runtime.write();
  const out = module.encode();
  if (!WebAssembly.validate(out)) throw new Error('the result is not valid');
  return out;
}

const file = process.argv[2];
try {
  const before = readFileSync(file);
  const after = shrink(before);
  writeFileSync(file, after);
  console.log(`${file}: ${(before.length / 1000).toFixed(0)} kB, now ${(after.length / 1000).toFixed(0)} kB`);
} catch (error) {
  console.error(`${file} stays as it is: ${error.stack}`);
  process.exit(1);
}
