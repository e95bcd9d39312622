// Writes a brotli form beside every file of a folder that gets smaller by it.
import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {brotliCompressSync, constants} from 'node:zlib';

const kinds = /\.(html|js|css|wasm|svg|txt|json)$/;

for (const entry of readdirSync(process.argv[2], {recursive: true})) {
  const file = join(process.argv[2], entry);
  if (!kinds.test(entry) || !statSync(file).isFile()) continue;
  const bytes = readFileSync(file);
  const packed = brotliCompressSync(bytes, {
    params: {[constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length},
  });
  if (packed.length < bytes.length) writeFileSync(file + '.br', packed);
}
