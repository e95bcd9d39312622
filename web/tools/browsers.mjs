// Finds the browsers that tests use, and installs Debian's where that is
// possible without asking. Prints their paths.
import {execFileSync} from 'node:child_process';
import {accessSync, constants} from 'node:fs';
import {delimiter, join} from 'node:path';
import {createRequire} from 'node:module';

const kinds = {
  chromium: {variable: 'CHROMIUM', names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'], debian: 'chromium'},
  firefox: {variable: 'FIREFOX', names: ['firefox-esr', 'firefox'], debian: 'firefox-esr'},
};

/** The executable of a browser, undefined if there is none. */
export function find(kind) {
  const {variable, names} = kinds[kind], candidates = [process.env[variable]];
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) candidates.push(join(directory, name));
  }
  if (kind === 'chromium') {
    try {
      candidates.push(createRequire(import.meta.url)('@playwright/test').chromium.executablePath());
    } catch {
      // Playwright is not installed: it has no own place to look in.
    }
  }
  return candidates.filter(Boolean).find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function install(packages) {
  let root = false;
  try {
    root = process.getuid() === 0;
    execFileSync('apt-get', ['--version'], {stdio: 'ignore'});
  } catch {
    root = false;
  }
  if (!root) return;
  try {
    execFileSync('apt-get', ['update', '-qq'], {stdio: 'inherit'});
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {stdio: ['ignore', 'ignore', 'inherit']});
  } catch {
    console.error(`could not install ${packages.join(' and ')}`);
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const missing = Object.keys(kinds).filter((kind) => !find(kind));
  if (missing.length) install(missing.map((kind) => kinds[kind].debian));
  for (const kind of Object.keys(kinds)) console.log(`${kind}: ${find(kind) ?? 'none'}`);
  if (!find('chromium')) {
    console.error('No Chromium found. Run: cd web && npx playwright install chromium   (or set CHROMIUM to one)');
    process.exit(1);
  }
}
