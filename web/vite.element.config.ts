import {fileURLToPath} from 'node:url';
import {defineConfig, type UserConfig} from 'vite';
import page from './vite.config.ts';

// The element: one module beside the page, over the same engine. The two
// pictures (wide, and down for phones) come on demand and stand in the engine's
// folder. With `--mode own` Lit stays outside, to measure what is the element's own.
export default defineConfig(({mode}): UserConfig => ({
  ...page,
  publicDir: false,
  build: {
    ...page.build,
    emptyOutDir: false,
    modulePreload: false,
    rolldownOptions: {
      input: fileURLToPath(new URL('src/embed/rebalance-lab.ts', import.meta.url)),
      preserveEntrySignatures: 'strict',
      external: mode === 'own' ? [/^lit/] : [],
      output: {entryFileNames: 'rebalance-lab.js', chunkFileNames: 'engine/[name].js'},
    },
  },
}));
