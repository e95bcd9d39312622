// Prints the compressed sizes of the built page and element and fails above a
// budget. The element's own code is built once more without Lit.
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';

const kB = 1000;
const [dist, own] = process.argv.slice(2);
// What stands beside the engine in one folder: the element's pictures are its own.
const engine = /^engine\/(engine\.wasm|wasm_exec\.js|worker\.js)$/;
const picture = (name) => (f) => !engine.test(f) && !/^engine\/(of|link)\./.test(f) && !f.startsWith(`engine/${name}`);
// What comes when it is asked for.
const later = /^assets\/(editor|link|of|share|copy|door|loglines|book|rules|versions|beside)-/;
const reading = /^(assets\/(rules|versions|beside)-.*|engine\/eras\.json)$/;
const budgets = [
  {name: 'engine + glue', root: dist, limit: 570 * kB, files: (f) => engine.test(f)},
  {name: 'UI at first load', root: dist, limit: 80 * kB, files: (f) => /^(index\.html|assets\/.*)$/.test(f) && !later.test(f)},
  {name: 'links, sharing and rooms, on demand', root: dist, limit: 25 * kB, files: (f) => later.test(f) && !/\/(editor|loglines|book|rules|versions|beside)-/.test(f)},
  {name: 'rules and releases, on demand', root: dist, limit: 25 * kB, files: (f) => reading.test(f)},
  {name: 'log lines, on demand', root: dist, limit: 10 * kB, files: (f) => /^assets\/(loglines|book)-/.test(f)},
  {name: 'the editor, on demand', root: dist, limit: 130 * kB, files: (f) => f.startsWith('assets/editor-')},
  {name: 'the element’s own code, wide', root: own, limit: 25 * kB, files: picture('phone')},
  {name: 'the element’s own code, on a phone', root: own, limit: 25 * kB, files: picture('wide')},
];

let failed = false;
for (const {name, root, limit, files} of budgets) {
  const parts = readdirSync(root, {recursive: true}).filter((f) => f.endsWith('.br')).map((f) => f.slice(0, -3)).filter(files);
  const total = parts.reduce((sum, f) => sum + statSync(join(root, f + '.br')).size, 0);
  const over = total > limit || parts.length === 0;
  failed ||= over;
  console.log(`${name}: ${(total / kB).toFixed(1)} kB of ${limit / kB} kB brotli${over ? '  OVER THE BUDGET' : ''}`);
  for (const f of parts.sort()) {
    const raw = readFileSync(join(root, f)).length;
    console.log(`  ${f}  ${(statSync(join(root, f + '.br')).size / kB).toFixed(1)} kB (${(raw / kB).toFixed(1)} kB raw)`);
  }
}
process.exit(failed ? 1 : 0);
