// Lets `node --test` read TypeScript on Node 20: types are removed with the
// compiler that Vite brings along.

import {register} from 'node:module';

register('data:text/javascript,' + encodeURIComponent(`
import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {transformWithOxc} from ${JSON.stringify(import.meta.resolve('vite'))};

export async function load(url, context, next) {
  // Where Vite would put the built worker.
  if (url.endsWith('?worker&url')) return {format: 'module', shortCircuit: true, source: 'export default ' + JSON.stringify(url)};
  if (url.endsWith('?raw')) return {format: 'module', shortCircuit: true, source: 'export default ' + JSON.stringify(await readFile(fileURLToPath(url.slice(0, -4)), 'utf8'))};
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const {code} = await transformWithOxc(await readFile(path, 'utf8'), path, {lang: 'ts'});
  return {format: 'module', shortCircuit: true, source: code};
}
`));
