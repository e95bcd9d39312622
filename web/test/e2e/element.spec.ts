// The element in other people's pages, as `make site` puts it together.

import AxeBuilder from '@axe-core/playwright';
import {type Page} from '@playwright/test';
import type {RebalanceLab} from '../../public/rebalance-lab.d.ts';
import {expect, test} from './page.ts';

const scenario = (more = '') => `kafka 3.9
brokers 3
topic orders partitions=6 rate=60/s
group checkout assignor=range session.timeout.ms=45000
consumer c1..c3 group=checkout topics=orders process=5ms
at 20s kill c2
${more}run until 75s
`;

/** A page of somebody's, below the path of the site. */
async function pageWith(page: Page, body: string, base = 'docs/handbook/'): Promise<void> {
  await page.route('**/host.html', (route) => route.fulfill({contentType: 'text/html', body: `<!doctype html><html lang="en"><head><title>host</title><link rel="icon" href="data:,">
    <script type="module" src="rebalance-lab.js"></script></head><body><h1>Host</h1>${body}</body></html>`}));
  await page.goto(`${base}host.html`);
}

const element = (page: Page, id: string) => page.locator(`rebalance-lab#${id}`);
const state = (page: Page, id: string) => element(page, id).evaluate((e: RebalanceLab) => e.state);
const ready = (page: Page, id: string) => expect.poll(() => state(page, id)).toBe('ready');
const now = (page: Page, id: string) => element(page, id).evaluate((e: RebalanceLab) => e.now);

for (const [what, path] of [['any static host', 'docs/handbook/'], ['a strict policy', 'strict/handbook/']] as const) {
  test(`an article below a path, ${what}: three elements come when one scrolls to them`, async ({page}) => {
    const engines: string[] = [];
    page.on('request', (r) => r.url().endsWith('engine.wasm') && engines.push(r.url()));
    await page.goto(`${path}article.html`);
    await element(page, 'dies').scrollIntoViewIfNeeded();
    await ready(page, 'dies');
    await expect(element(page, 'dies').locator('.head')).toHaveText(/^Waiting for c2, 2[23] more seconds, because of session\.timeout\.ms$/);
    expect([await state(page, 'static'), await state(page, 'cooperative')]).toEqual(['waiting', 'waiting']);
    await element(page, 'static').scrollIntoViewIfNeeded();
    await ready(page, 'static');
    expect(await state(page, 'cooperative')).toBe('waiting');
    await expect(element(page, 'static').locator('.head')).toContainText('Waiting for c2');
    await element(page, 'cooperative').scrollIntoViewIfNeeded();
    await ready(page, 'cooperative');
    await expect(element(page, 'cooperative').locator('lab-band')).toContainText('orders-4');
    expect(page.workers()).toHaveLength(1);
    expect(engines).toHaveLength(1);
    for (const id of ['dies', 'static', 'cooperative']) {
      expect(await element(page, id).evaluate((e) => getComputedStyle(e.shadowRoot!.querySelector('.embed')!).display)).toBe('grid');
    }
  });
}

test('nothing jumps: the room is kept before the engine is there', async ({page}) => {
  await page.route('**/engine.wasm', async (route) => {
    await page.evaluate(() => document.querySelector('rebalance-lab')!.setAttribute('data-before', String(document.querySelector('rebalance-lab')!.getBoundingClientRect().height)));
    await route.continue();
  });
  await page.goto('docs/handbook/article.html');
  await element(page, 'dies').scrollIntoViewIfNeeded();
  await ready(page, 'dies');
  const height = (await element(page, 'dies').boundingBox())!.height;
  expect(Number(await element(page, 'dies').getAttribute('data-before'))).toBe(height);
});

test.describe('without JavaScript', () => {
  test.use({javaScriptEnabled: false});
  test('the text stands there', async ({page}) => {
    await page.goto('docs/handbook/article.html');
    await expect(element(page, 'dies')).toContainText('at 20s kill c2');
    await expect(element(page, 'dies').locator('pre')).toBeVisible();
    await expect(element(page, 'static').getByRole('link')).toBeVisible();
  });
});

test('it can be used by keyboard, and leaves the page its own keys', async ({page}) => {
  await pageWith(page, `<rebalance-lab id="a" at="41s"><pre>${scenario()}</pre></rebalance-lab><p>${'text '.repeat(9000)}</p>`);
  await ready(page, 'a');
  await page.keyboard.press('Tab');
  await expect(element(page, 'a').getByRole('button', {name: 'play (space)'})).toBeFocused();
  await page.keyboard.press('ArrowRight');
  expect(await now(page, 'a')).toBeCloseTo(63.007, 2);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('PageDown');
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  const before = await now(page, 'a');
  await element(page, 'a').getByRole('slider').focus();
  await page.keyboard.press('Home');
  expect(await now(page, 'a')).toBe(0);
  await page.keyboard.press('PageDown');
  expect(await now(page, 'a')).toBe(10);
  expect(before).not.toBe(0);
  await page.keyboard.press('k');
  await expect(element(page, 'a').getByRole('button', {name: 'pause (space)'})).toBeVisible();
  await page.keyboard.press('k');
  await expect(element(page, 'a').getByRole('button', {name: 'play (space)'})).toBeVisible();
});

for (const theme of ['light', 'dark', 'contrast'] as const) {
  test(`axe is clean, ${theme}`, async ({page}) => {
    await page.goto('docs/handbook/article.html');
    for (const id of ['dies', 'static', 'cooperative']) {
      await element(page, id).evaluate((e: RebalanceLab, theme) => (e.theme = theme), theme);
      await element(page, id).scrollIntoViewIfNeeded();
      await ready(page, id);
    }
    expect((await new AxeBuilder({page}).analyze()).violations).toEqual([]);
    await element(page, 'dies').evaluate((e: RebalanceLab) => (e.view = 'messages'));
    await expect(element(page, 'dies').locator('lab-band')).toContainText('broker 1');
    expect((await new AxeBuilder({page}).analyze()).violations).toEqual([]);
  });
}

test('ten on a page: one worker, and only those in sight tick', async ({page}) => {
  await pageWith(page, Array.from({length: 10}, (_, i) => `<rebalance-lab id="e${i}" at="10s"><pre>${scenario(`# ${i}\n`)}</pre></rebalance-lab><p>text</p>`).join(''));
  for (let i = 0; i < 10; i++) {
    await element(page, `e${i}`).scrollIntoViewIfNeeded();
    await ready(page, `e${i}`);
  }
  expect(page.workers()).toHaveLength(1);
  await page.evaluate(() => document.querySelectorAll('rebalance-lab').forEach((e) => e.play()));
  await element(page, 'e9').scrollIntoViewIfNeeded();
  await expect.poll(() => now(page, 'e9')).toBeGreaterThan(10.2);
  expect(await now(page, 'e0')).toBe(10);
  const away = await now(page, 'e5'), moved = await now(page, 'e9');
  await expect.poll(() => now(page, 'e9')).toBeGreaterThan(moved + 0.2);
  expect(await now(page, 'e5')).toBe(away);
  await element(page, 'e0').scrollIntoViewIfNeeded();
  await expect.poll(() => now(page, 'e0')).toBeGreaterThan(10.1); // it goes on where it was
  await page.evaluate(() => document.querySelectorAll('rebalance-lab').forEach((e) => e.remove()));
  await expect.poll(() => page.workers().length).toBe(0);
});

test('a fault of the text is named with line and column; the text stays', async ({page}) => {
  await pageWith(page, `<rebalance-lab id="a"><pre>${scenario().replace('session.timeout.ms', 'session.timout.ms')}</pre></rebalance-lab>`);
  await expect.poll(() => state(page, 'a')).toBe('error');
  await expect(element(page, 'a').getByRole('alert')).toContainText(/line 4, column \d+: .*did you mean session\.timeout\.ms/);
  await expect(element(page, 'a').locator('pre')).toBeVisible();
  const told = page.evaluate(() => new Promise((tell) => document.querySelector('rebalance-lab')!.addEventListener('rebalance-ready', (e) => tell(e.detail.end), {once: true})));
  await element(page, 'a').evaluate((e: RebalanceLab, text) => (e.scenario = text), scenario());
  expect(await told).toBe(75);
  await expect(element(page, 'a').locator('.head')).toContainText('Waiting for c2');
});

test('another address while the first one still comes: the newest wins', async ({page}) => {
  await pageWith(page, '<rebalance-lab id="a" src="scenarios/clean-stop.txt"></rebalance-lab>');
  await element(page, 'a').evaluate((e: RebalanceLab) => (e.src = 'scenarios/static-restart.txt'));
  await ready(page, 'a');
  await expect.poll(() => element(page, 'a').evaluate((e: RebalanceLab) => e.scenario)).toContain('What does static membership buy?');
  await element(page, 'a').evaluate((e: RebalanceLab) => (e.src = 'scenarios/first-join.txt'));
  await expect.poll(() => element(page, 'a').evaluate((e: RebalanceLab) => [e.state, e.end])).toEqual(['ready', 15]);
});

test('a text that is missing, or an address that is wrong, is told', async ({page, errors}) => {
  await pageWith(page, '<rebalance-lab id="a"></rebalance-lab><rebalance-lab id="b" src="nowhere.txt"><p>What it would show.</p></rebalance-lab>');
  const told = (id: string) => element(page, id).getByRole('alert');
  await expect(told('a')).toContainText('There is no scenario');
  await element(page, 'b').scrollIntoViewIfNeeded();
  await expect(told('b')).toContainText('nowhere.txt could not be loaded: 404');
  await expect(element(page, 'b').getByText('What it would show.')).toBeVisible();
  errors.length = 0; // the browser reports the missing file
});

test('attributes are properties; methods and events', async ({page}) => {
  await pageWith(page, `<rebalance-lab id="a" at="41s" view="messages" theme="dark" href="/lab/"><pre>${scenario()}</pre></rebalance-lab>`);
  await ready(page, 'a');
  await expect(element(page, 'a').getByRole('link', {name: 'Open in Rebalance Lab'})).toHaveAttribute('href', '/lab/');
  expect(await element(page, 'a').evaluate((e: RebalanceLab) => [e.at, e.view, e.theme, e.href, e.src, e.group, e.now, e.end])).toEqual(['41s', 'messages', 'dark', '/lab/', null, null, 41, 75]);
  const times = await element(page, 'a').evaluate(async (e: RebalanceLab) => {
    const seen: number[] = [];
    e.addEventListener('rebalance-time', (t) => seen.push(t.detail.now));
    e.seek(30);
    e.step(1);
    e.step(-1);
    await e.act('kill c3');
    return {seen, refused: await e.act('kill nobody').then(() => '', (error: Error) => error.message)};
  });
  expect(times.seen.slice(0, 3)).toEqual([30, expect.closeTo(63.007, 2), expect.any(Number)]);
  expect(times.refused).toContain('nobody');
  await element(page, 'a').evaluate((e: RebalanceLab) => {
    e.view = 'ownership';
    e.setAttribute('at', '62s');
  });
  expect(await now(page, 'a')).toBe(62);
  await expect(element(page, 'a')).not.toHaveAttribute('view', 'messages');
});

test('the host page chooses colours by custom properties, and reaches the parts', async ({page}) => {
  await pageWith(page, `<style>#a { --paper: rgb(1, 2, 3); } #a::part(say) { letter-spacing: 3px; }</style><rebalance-lab id="a"><pre>${scenario()}</pre></rebalance-lab>`);
  await ready(page, 'a');
  expect(await element(page, 'a').evaluate((e) => {
    const style = (selector: string) => getComputedStyle(e.shadowRoot!.querySelector(selector)!);
    return [style('.embed').backgroundColor, style('[part="say"]').letterSpacing, Boolean(e.shadowRoot!.querySelector('[part="picture"]')), Boolean(e.shadowRoot!.querySelector('[part="time"]'))];
  })).toEqual(['rgb(1, 2, 3)', '3px', true, true]);
});

test('a page that is dark has dark elements', async ({page}) => {
  await pageWith(page, `<style>html { color-scheme: dark; } html.day { color-scheme: light; }</style><rebalance-lab id="a"><pre>${scenario()}</pre></rebalance-lab>`);
  await ready(page, 'a');
  const paper = () => element(page, 'a').evaluate((e) => getComputedStyle(e.shadowRoot!.querySelector('.embed')!).backgroundColor);
  expect(await paper()).toBe('rgb(20, 20, 21)');
  await page.evaluate(() => document.documentElement.classList.add('day'));
  expect(await paper()).toBe('rgb(248, 248, 246)');
});

test('a worker that dies is told to every element, and each can be played again', async ({page, errors}) => {
  await pageWith(page, `<rebalance-lab id="a"><pre>${scenario()}</pre></rebalance-lab><rebalance-lab id="b"><pre>${scenario()}</pre></rebalance-lab>`);
  for (const id of ['a', 'b']) {
    await element(page, id).scrollIntoViewIfNeeded();
    await ready(page, id);
  }
  await page.workers()[0]!.evaluate(() => void setTimeout(() => {
    throw new Error('out of memory');
  }));
  for (const id of ['a', 'b']) await expect.poll(() => state(page, id)).toBe('error');
  await element(page, 'a').getByRole('button', {name: 'Play the scenario again'}).click();
  await ready(page, 'a');
  expect(await state(page, 'b')).toBe('error');
  errors.length = 0; // the browser reports what was thrown on purpose
});

test('a page of another origin may use it', async ({page, baseURL}) => {
  await page.goto(baseURL!.replace('127.0.0.1', 'localhost') + 'foreign.html');
  await ready(page, 'a');
  await expect(element(page, 'a').locator('.head')).toContainText('Waiting for c2');
});

test('in a narrow place time runs down, and a finger still scrolls the page', async ({page}) => {
  await pageWith(page, `<div style="width: 358px"><rebalance-lab id="a" at="41s"><pre>${scenario()}</pre></rebalance-lab></div>`);
  await ready(page, 'a');
  await expect(element(page, 'a').locator('lab-down svg').first()).toBeVisible();
  await expect(element(page, 'a').locator('lab-wide')).toHaveCount(0);
  expect(await element(page, 'a').locator('lab-down svg').first().evaluate((e) => getComputedStyle(e).touchAction)).toBe('pan-y');
  expect(await element(page, 'a').locator('.rule').evaluate((e) => getComputedStyle(e).touchAction)).toBe('none');
  await page.evaluate(() => (document.querySelector('div')!.style.width = '700px'));
  await expect(element(page, 'a').locator('lab-band svg').first()).toBeVisible();
  await expect(element(page, 'a').locator('lab-down')).toHaveCount(0);
});

for (const width of [320, 358, 559, 560, 600, 688, 720, 1100]) {
  test(`in ${width} px nothing leaves the frame`, async ({page}) => {
    await pageWith(page, `<div style="width: ${width}px"><rebalance-lab id="a" at="41s"><pre>${scenario()}</pre></rebalance-lab></div>`);
    await ready(page, 'a');
    await expect(element(page, 'a').locator('lab-band svg, lab-down svg').first()).toBeVisible();
    expect(await element(page, 'a').evaluate((e) => {
      const frame = e.getBoundingClientRect();
      const all = [...e.shadowRoot!.querySelectorAll('button, a, p:not(.away), .clock, lab-scrub, svg.scrub')].map((x) => ({x, box: x.getBoundingClientRect()})).filter(({box}) => box.width > 0);
      const out = all.filter(({box}) => box.right > frame.right - 6 || box.left < frame.left).map(({x}) => x.textContent);
      // What stands in the foot stands beside each other.
      const foot = [...e.shadowRoot!.querySelector('.controls')!.children].map((c) => c.getBoundingClientRect()).filter((b) => b.width);
      return {out, over: foot.filter((b, i) => i && b.left < foot[i - 1]!.right - 0.5).length};
    })).toEqual({out: [], over: 0});
  });
}
