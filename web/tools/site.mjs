// Puts together what any static host serves from any path: the page, the
// element with the engine, and an article with three elements.
import {cpSync, rmSync} from 'node:fs';
import {basename, join} from 'node:path';

const [dist, site, scenarios] = process.argv.slice(2);
rmSync(site, {recursive: true, force: true});
// Compressed forms are for our own server; a host makes its own.
cpSync(dist, site, {recursive: true, filter: (file) => !file.endsWith('.br')});
cpSync('web/demo', site, {recursive: true});
cpSync(scenarios, join(site, 'scenarios'), {recursive: true, filter: (file) => basename(file) !== 'reports'});
console.log(`${site}: index.html is the page, article.html the article`);
