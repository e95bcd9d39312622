import {restoreTheme} from './theme.ts';

restoreTheme();

// In development `?fixture` draws without the engine; a build knows nothing of it.
if (import.meta.env.DEV && new URLSearchParams(location.search).has('fixture')) {
  const [{Lab}, {fixture}] = await Promise.all([import('./lab.ts'), import('../test/fixture/engine.ts')]);
  Lab.engine = fixture as never;
} else void import('./lab.ts');
