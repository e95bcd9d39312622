// Rooms: real pages, the real server. One page is the host, others watch.

import {spawn, type ChildProcess} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {createInterface} from 'node:readline';
import type {Browser, Page} from '@playwright/test';
import {clock, expect, reason, sentence, settled, test, who} from './page.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

let server: ChildProcess, base = '';

async function serve(listen = '127.0.0.1:0'): Promise<void> {
  server = spawn(`${root}build/rebalance`, ['serve', '--listen', listen, '--dir', `${root}web/dist`], {stdio: ['ignore', 'pipe', 'pipe']});
  for await (const line of createInterface({input: server.stdout!})) {
    base = /http:\/\/\S+/.exec(line)?.[0] ?? '';
    if (base) return;
  }
}

test.beforeEach(() => serve());
test.afterEach(() => void server.kill());

async function newcomer(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext({viewport: {width: 1440, height: 900}})).newPage();
  await page.goto(address);
  return page;
}

const badge = (page: Page) => page.locator('.room-badge');

/** The page becomes the host of a room that shows the scenario at 41 s. */
async function hostRoom(page: Page): Promise<string> {
  await page.goto(`${base}#s=consumer-dies&t=41`);
  await expect(clock(page)).toHaveText('41.0 s');
  await page.keyboard.press('s');
  await page.getByRole('button', {name: 'Open a room'}).click();
  await expect(badge(page)).toContainText('1 here');
  await expect(page).toHaveURL(/#room=[0-9A-Z]{6}$/); // the token stands there no longer
  await settled(page);
  await expect(page.locator('lab-room .room-large')).toHaveText(/^[0-9A-Z]{3} [0-9A-Z]{3}$/); // the code, large, at once
  await page.keyboard.press('Escape');
  await expect(page.locator('lab-room .pop')).toHaveCount(0);
  return page.url();
}

const digest = (page: Page) => page.evaluate(() => (document.querySelector('lab-page') as unknown as {run: {view: {digest: string} | null}}).run.view?.digest);

async function same(pages: Page[]): Promise<void> {
  for (const page of pages) await settled(page);
  const [first, ...others] = await Promise.all(pages.map(digest));
  for (const other of others) expect(other).toBe(first);
}

test('the host plays and acts, everybody sees the same, a late one too', async ({page: host, browser}) => {
  const address = await hostRoom(host);
  const viewer = await newcomer(browser, address);
  await expect(clock(viewer)).toHaveText('41.0 s');
  await expect(badge(host)).toContainText('2 here');
  await expect(sentence(viewer)).toContainText('22 more seconds');

  await who(host, 'c1').click();
  await host.getByRole('menuitem', {name: /Kill/}).click();
  await expect(reason(host)).toContainText('this is branch 2');
  await expect(reason(viewer)).toContainText('this is branch 2');
  await same([host, viewer]);

  await host.keyboard.press(']');
  await host.keyboard.press('k');
  await expect(viewer.locator('.transport')).toContainText('the host plays');
  await expect.poll(async () => parseFloat(await clock(viewer).innerText())).toBeGreaterThan(45);
  await host.keyboard.press('k');
  await expect(viewer.locator('.transport')).toContainText('the host pauses');
  await expect.poll(async () => await clock(viewer).innerText() === await clock(host).innerText()).toBe(true);
  await same([host, viewer]);

  const late = await newcomer(browser, address);
  await expect(badge(late)).toContainText('3 here');
  await expect.poll(async () => await clock(late).innerText() === await clock(host).innerText()).toBe(true);
  await expect(late.locator('lab-time .branch')).toHaveCount(2);
  await same([host, viewer, late]);
  await badge(host).click();
  await expect(host.locator('lab-room .pop')).toContainText('3 of 3 runs agree');
});

test('the host edits the text, and everybody has it', async ({page: host, browser}) => {
  const viewer = await newcomer(browser, await hostRoom(host));
  await expect(clock(viewer)).toHaveText('41.0 s');
  await host.keyboard.press('Escape');
  await host.keyboard.press('e');
  await host.locator('lab-editor .cm-line', {hasText: /^group checkout/}).click();
  await host.keyboard.press('End');
  for (let i = 0; i < 5; i++) await host.keyboard.press('Backspace');
  await host.keyboard.type('30000');
  await expect(sentence(host)).toContainText('7 more seconds');
  await expect(sentence(viewer)).toContainText('7 more seconds');
  await same([host, viewer]);
  await viewer.keyboard.press('e');
  await expect(viewer.locator('lab-editor')).toContainText('session.timeout.ms=30000');
  await expect(viewer.locator('lab-editor')).toContainText('only the host writes');
});

test('a viewer looks back but not ahead, acts on nothing, and comes back to the host', async ({page: host, browser}) => {
  const viewer = await newcomer(browser, await hostRoom(host));
  await expect(clock(viewer)).toHaveText('41.0 s');
  await viewer.keyboard.press('End');
  await expect(clock(viewer)).toHaveText('41.0 s');
  await viewer.keyboard.press('Home');
  await expect(clock(viewer)).toHaveText('0.0 s');
  await expect(clock(host)).toHaveText('41.0 s');
  await who(viewer, 'c1').click();
  await expect(viewer.locator('lab-actions')).toContainText('In a room only the host acts');
  await expect(viewer.getByRole('menuitem')).toHaveCount(0);
  await viewer.keyboard.press('Escape');
  await host.keyboard.press('ArrowRight');
  await expect(clock(host)).toHaveText('63.0 s');
  await expect(clock(viewer)).toHaveText('0.0 s');
  await viewer.getByRole('button', {name: 'Follow the host'}).click();
  await expect(clock(viewer)).toHaveText('63.0 s');
  // On a copy of one's own everything may be done.
  await badge(viewer).click();
  await viewer.getByRole('button', {name: 'Leave the room'}).click();
  await who(viewer, 'c1').click();
  await viewer.getByRole('menuitem', {name: /Kill/}).click();
  await expect(viewer).toHaveURL(/#1=/);
  await expect(badge(host)).toContainText('1 here');
});

test('a viewer that loses the connection keeps its run and catches up', async ({page: host, browser}) => {
  const address = await hostRoom(host);
  const viewer = await (await browser.newContext({viewport: {width: 1440, height: 900}})).newPage();
  let joins: string[] = [], cut: (() => void) | null = null, open = true;
  await viewer.routeWebSocket(/\/ws\//, (ws) => {
    if (!open) return void ws.close();
    const up = ws.connectToServer();
    cut = () => ws.close({code: 4000, reason: 'cut'});
    ws.onMessage((m) => {
      if (String(m).includes('"join"')) joins.push(String(m));
      up.send(m);
    });
  });
  await viewer.goto(address);
  await expect(clock(viewer)).toHaveText('41.0 s');
  open = false;
  cut!();
  await expect(badge(viewer)).toContainText('Connection lost; the run stays');
  await expect(sentence(viewer)).toContainText('22 more seconds');
  await who(host, 'c3').click();
  await host.getByRole('menuitem', {name: /Stop/}).click();
  await expect(reason(host)).toContainText('branch 2');
  await host.keyboard.press('ArrowRight');
  open = true;
  await expect(badge(viewer)).toContainText('2 here');
  await expect.poll(async () => await clock(viewer).innerText() === await clock(host).innerText()).toBe(true);
  await expect(viewer.locator('lab-time .branch')).toHaveCount(2);
  await same([host, viewer]);
  expect(JSON.parse(joins[0]!).after).toBe(0);
  expect(JSON.parse(joins.at(-1)!).after).toBeGreaterThan(0);
});

test('a code that is typed, a code that nobody has, a host link that is wrong', async ({page: host, browser}) => {
  const code = (await hostRoom(host)).slice(-6);
  const viewer = await newcomer(browser, base);
  await viewer.getByLabel('The code').fill(` ${code.slice(0, 3)} ${code.slice(3)}`.toLowerCase());
  await viewer.getByRole('button', {name: 'Join', exact: true}).click();
  await expect(clock(viewer)).toHaveText('41.0 s');
  await expect(badge(viewer)).toContainText('2 here');
  const wrong = await newcomer(browser, `${base}#room=${code}&host=0123456789abcdef`);
  await expect(wrong.getByRole('alert')).toContainText(`Room ${code}: this host link does not belong to this room.`);
  const nobody = await newcomer(browser, `${base}#room=AAAAAA`);
  await expect(nobody.getByRole('alert')).toContainText('Room AAAAAA: there is no such room; it may have ended.');
  await expect(nobody.locator('.card').first()).toBeVisible();
});

test('the host’s window finds its room again, and another of its devices is a host too', async ({page: host, browser}) => {
  await hostRoom(host);
  await badge(host).click();
  await expect(host.locator('lab-copy.host input')).toHaveAttribute('type', 'password');
  const link = await host.locator('lab-copy.host input').inputValue();
  await host.reload();
  await expect(clock(host)).toHaveText('41.0 s');
  await host.keyboard.press('ArrowRight');
  await expect(clock(host)).toHaveText('63.0 s');
  const second = await newcomer(browser, link);
  await expect(clock(second)).toHaveText('63.0 s');
  await second.keyboard.press('ArrowLeft');
  await expect.poll(async () => await clock(host).innerText()).not.toBe('63.0 s');
  await same([host, second]);
});

test('when the server stops everybody keeps the run', async ({page: host, browser, errors}) => {
  const viewer = await newcomer(browser, await hostRoom(host));
  await expect(clock(viewer)).toHaveText('41.0 s');
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
  for (const page of [host, viewer]) {
    await expect(badge(page)).toContainText('Connection lost; the run stays');
    await expect(sentence(page)).toContainText('22 more seconds');
  }
  // Another server knows nothing of the room; what everybody has is a copy to act on.
  await serve(new URL(base).host);
  for (const page of [host, viewer]) await expect(badge(page)).toContainText('The room is over', {timeout: 15_000});
  await who(viewer, 'c1').click();
  await viewer.getByRole('menuitem', {name: /Kill/}).click();
  await expect(reason(viewer)).toContainText('this is branch 2');
  // Trying again is all that the console speaks of.
  expect(errors.filter((e) => !/WebSocket connection.*ERR_CONNECTION_REFUSED/.test(e))).toEqual([]);
  errors.length = 0;
});

test('the bar has room for everything at every width', async ({page: host, browser}) => {
  const viewer = await newcomer(browser, await hostRoom(host));
  await expect(clock(viewer)).toHaveText('41.0 s');
  const other = await newcomer(browser, host.url());
  await expect(badge(other)).toContainText('3 here, you watch');
  await viewer.keyboard.press('Home');
  await expect(viewer.getByRole('button', {name: 'Follow the host'})).toBeVisible();
  for (const page of [host, viewer, other]) {
    for (const width of [1440, 1280, 1100, 1000, 900, 899, 760, 700, 640, 600, 560, 559, 430, 420, 390, 320]) {
      await page.setViewportSize({width, height: 800});
      await expect.poll(() => page.evaluate(() => {
        const bar = document.querySelector('lab-page')!.shadowRoot!.querySelector('.bar')!;
        return [bar.scrollWidth - bar.clientWidth, document.documentElement.scrollWidth - innerWidth];
      }), `${width} px`).toEqual([0, 0]);
    }
  }
});

test('a room that is left before it has come is not entered', async ({page: host, browser}) => {
  const address = await hostRoom(host);
  const viewer = await newcomer(browser, base);
  let come = () => {};
  const gate = new Promise<void>((resolve) => (come = resolve));
  await viewer.route(/door-/, async (route) => {
    await gate;
    await route.continue();
  });
  await expect(viewer.locator('.card').first()).toBeVisible();
  const asked = viewer.waitForRequest(/door-/);
  await viewer.evaluate((hash) => (location.hash = hash), new URL(address).hash);
  await asked;
  await viewer.evaluate(() => (location.hash = '#s=first-join'));
  const came = viewer.waitForResponse(/door-/);
  come();
  await came;
  await expect(viewer.locator('.title')).toHaveText('How does a group begin?');
  await expect(badge(viewer)).toHaveCount(0);
  await expect(badge(host)).toContainText('1 here');
});

test('a command whose room ends before its moment has come is done, on a copy', async ({page: host}) => {
  let hold = false, over: (() => void) | null = null;
  await host.routeWebSocket(/\/ws\//, (ws) => {
    if (hold) return void ws.close({code: 4404, reason: 'there is no such room'});
    const up = ws.connectToServer();
    over = () => ws.close({code: 4404, reason: 'there is no such room'});
    up.onMessage((m) => {
      if (!hold || !String(m).includes('"clock"')) ws.send(m);
    });
  });
  await hostRoom(host);
  hold = true;
  const done = host.evaluate(() => (document.querySelector('lab-page') as unknown as {run: {act(line: string): Promise<void>}}).run.act('kill c1').then(() => 'done', String));
  await host.waitForFunction(() => (document.querySelector('lab-page') as unknown as {room: {played: unknown[]}}).room.played.length === 1);
  over!();
  expect(await done).toBe('done');
  await expect(badge(host)).toContainText('The room is over');
  await expect(host.locator('lab-time .branch')).toHaveCount(2);
  await settled(host);
});

test('what the room refuses is said in the editor', async ({page: host}) => {
  await hostRoom(host);
  await host.keyboard.press('Escape');
  await host.keyboard.press('e');
  await host.locator('lab-editor .cm-line', {hasText: /^topic orders/}).click();
  await host.keyboard.press('Home');
  await host.keyboard.press('Shift+End');
  await host.keyboard.type('topic orders partitions=2000 rate=60/s');
  await expect(host.locator('lab-editor .fix')).toContainText('the scenario is too large for a room');
});

test('two hosts, one hand after the other: both pages end where the room is', async ({page: host, browser}) => {
  await hostRoom(host);
  await badge(host).click();
  const link = await host.locator('lab-copy.host input').inputValue();
  const second = await newcomer(browser, link);
  await expect(clock(second)).toHaveText('41.0 s');
  const seek = (page: Page, at: number) => page.evaluate((at) => (document.querySelector('lab-page') as unknown as {run: {seek(t: number): void}}).run.seek(at), at);
  await seek(host, 10e6);
  await seek(second, 50e6);
  await expect(clock(second)).toHaveText('50.0 s');
  await expect(clock(host)).toHaveText('50.0 s');
  await same([host, second]);
});

test('a page without a server says that it has no rooms', async ({page, errors}) => {
  await page.goto('./#s=consumer-dies&t=41'); // the static one
  await expect(clock(page)).toHaveText('41.0 s');
  await page.keyboard.press('s');
  await page.getByRole('button', {name: 'Open a room'}).click();
  await expect(page.getByRole('alert')).toContainText('This page comes from a server without rooms');
  expect(errors).toEqual([expect.stringContaining('404')]);
  errors.length = 0;
});
