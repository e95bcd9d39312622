// A static server for dist/, at / and at /docs/lab/, with the strict policy that
// the page must live under.

import {createReadStream, existsSync, statSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join, normalize} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../../dist', import.meta.url));
const TYPES = {'.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm'};
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'";

createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://x').pathname).replace(/^\/docs\/lab\//, '/');
  const file = join(root, normalize(path.endsWith('/') ? `${path}index.html` : path));
  if (!file.startsWith(root) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', 'Content-Security-Policy': POLICY});
  createReadStream(file).pipe(response);
}).listen(Number(process.argv[2]), '127.0.0.1');
