import {fileURLToPath} from 'node:url';
import {defineConfig, type UserConfig} from 'vite';
import page from './vite.config.ts';

/** The pictures bring no sheets and need nothing beforehand: an import is an import. */
const plainImports = {
  name: 'plain-imports', enforce: 'pre' as const,
  load: (id: string) => id.includes('vite/preload-helper') ? 'export const __vitePreload = (load) => load();' : null,
};

/** What only one of the two pictures needs; everything else is the element itself. */
const picture = /src\/(picture\/(down|pictured|messagelabels|lanelabels|now|ground|place|button)|phone\/|embed\/(wide|band|scrub)|time\/rails|style\/phone)/;

/** What makes a link comes when somebody goes for it. */
const later = /src\/link\/|fflate|server\/link\//;

// The element: one module beside the page, over the same engine. The two
// pictures (wide, and down for phones) come on demand and stand in the engine's
// folder. With `--mode own` Lit stays outside, to measure what is the element's own.
export default defineConfig(({mode}): UserConfig => ({
  ...page,
  publicDir: false,
  plugins: [plainImports],
  build: {
    ...page.build,
    emptyOutDir: false,
    rolldownOptions: {
      input: fileURLToPath(new URL('src/embed/rebalance-lab.ts', import.meta.url)),
      preserveEntrySignatures: 'strict',
      external: mode === 'own' ? [/^lit/] : [],
      output: {
        entryFileNames: 'rebalance-lab.js', chunkFileNames: 'engine/[name].js',
        codeSplitting: {groups: [{name: 'element', test: (id: string) => !id.endsWith('embed/rebalance-lab.ts') && !picture.test(id) && !later.test(id)}]},
      },
    },
  },
}));
