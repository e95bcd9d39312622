// Prints the compressed sizes of the built page and fails above a budget.
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';

const kB = 1000;
const budgets = [
  {name: 'engine + glue', limit: 520 * kB, files: /^engine\//},
  {name: 'UI at first load', limit: 80 * kB, files: /^(index\.html|assets\/.*)$/},
];

const root = process.argv[2];
const files = readdirSync(root, {recursive: true}).filter((f) => f.endsWith('.br')).map((f) => f.slice(0, -3));
let failed = false;
for (const {name, limit, files: pattern} of budgets) {
  const parts = files.filter((f) => pattern.test(f));
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
