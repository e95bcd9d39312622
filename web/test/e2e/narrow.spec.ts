// Under 560 px: time runs down.

import AxeBuilder from '@axe-core/playwright';
import {clock, expect, large, open, openText, sentence, settled, test, who} from './page.ts';

test.use({viewport: {width: 390, height: 844}});

test('both bands are columns; the sentence, the foot and the line of the event say the rest', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await expect(sentence(page)).toHaveText(/^Waiting for c2, 2[23] more seconds/);
  await expect(page.locator('lab-down rect.own').first()).toBeAttached();
  await expect(page.locator('lab-down .due-line')).toBeAttached();
  await expect(page.locator('lab-down')).toContainText('last heartbeat');
  await expect(page.locator('.burst')).toContainText('33.0 s');
  await expect(page.getByRole('button', {name: /^Next ?, 22\.0 s on$/})).toBeInViewport();
  await expect(page.locator('lab-stage, lab-side, lab-time')).toHaveCount(0);
  await expect(page.getByRole('table', {name: 'Who reads which partition now'})).toBeAttached();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
});

test('a column is filled from the assignment to the revoke, downwards', async ({page}) => {
  await open(page, 'consumer-dies', 75);
  const boxes = await page.evaluate(() => {
    const root = document.querySelector('lab-page')!.shadowRoot!;
    return [...root.querySelectorAll('lab-down g[clip-path="url(#down-past)"] rect.own')].map((r) => r.getBoundingClientRect()).map((b) => ({x: Math.round(b.x), tall: b.height > b.width}));
  });
  expect(boxes.every((b) => b.tall)).toBe(true);
  expect(new Set(boxes.map((b) => b.x)).size).toBe(6);
});

test('dragging up and down moves the time; a finger may do it anywhere in the picture', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  const box = (await page.locator('lab-down svg').boundingBox())!;
  await page.mouse.move(box.x + 100, box.y + 330);
  await page.mouse.down();
  await page.mouse.move(box.x + 100, box.y + 120, {steps: 6});
  const early = await clock(page).textContent();
  await page.mouse.move(box.x + 100, box.y + 300, {steps: 6});
  await page.mouse.up();
  await settled(page);
  expect(parseFloat(early!)).toBeLessThan(25);
  expect(parseFloat((await clock(page).textContent())!)).toBeGreaterThan(parseFloat(early!));
  expect(await page.locator('lab-down svg').first().evaluate((e) => getComputedStyle(e).touchAction)).toBe('none');
});

test('clock spacing is true to time, causal spacing gives moments room', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await expect(page.getByRole('button', {name: 'causal'})).toHaveAttribute('aria-pressed', 'true');
  const before = await page.locator('lab-down svg').first().innerHTML();
  await page.getByRole('button', {name: 'clock'}).click();
  await expect(page.getByRole('button', {name: 'clock'})).toHaveAttribute('aria-pressed', 'true');
  expect(await page.locator('lab-down svg').first().innerHTML()).not.toBe(before);
  await page.keyboard.press('c');
  await expect(page.getByRole('button', {name: 'causal'})).toHaveAttribute('aria-pressed', 'true');
});

test('the keys of the page work, and whoever is touched can be killed', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await page.keyboard.press('ArrowRight');
  await settled(page);
  await expect(clock(page)).toHaveText('63.0 s');
  await page.keyboard.press('ArrowLeft');
  await page.locator('lab-down g[data-node="-3"]').click();
  await page.getByRole('menuitem', {name: /Kill/}).click();
  await expect(page.locator('.say .news')).toContainText('this is branch 2');
});

test('group and scenario stand in tabs', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await page.getByRole('tab', {name: 'Group'}).click();
  await expect(page.locator('lab-group h2')).toBeInViewport();
  await expect(page.locator('.members tr')).toHaveCount(4);
  await page.getByRole('tab', {name: 'Group'}).press('ArrowRight');
  await expect(page.getByRole('tab', {name: 'Scenario'})).toBeFocused();
  await expect(page.locator('lab-editor .cm-content')).toContainText('at 20s kill c2');
  await page.getByRole('tab', {name: 'Picture'}).click();
  await expect(page.locator('lab-down svg').first()).toBeVisible();
});

for (const width of [320, 360, 390, 559]) {
  test(`${width} px: every tab keeps its place, and nothing leaves the page`, async ({page}) => {
    await page.setViewportSize({width, height: 740});
    await open(page, 'consumer-dies', 41);
    for (const tab of ['Picture', 'Group', 'Scenario']) {
      await page.getByRole('tab', {name: tab}).click();
      const places = await page.evaluate(() => {
        const root = document.querySelector('lab-page')!.shadowRoot!, box = (s: string) => root.querySelector(s)!.getBoundingClientRect();
        const [heads, middle, controls] = [box('.heads'), box('lab-down, .phone .panel'), box('.controls')];
        const out = [...root.querySelectorAll('.phone button, .phone p, .phone .clock')].map((e) => e.getBoundingClientRect()).filter((b) => b.width && (b.left < -1 || b.right > innerWidth + 1)).length;
        const over = box('.controls .clock').right - box('.controls .line').left;
        return {out, over: Math.max(0, over), wide: [heads, middle, controls].every((b) => Math.abs(b.width - innerWidth) < 1), order: heads.bottom <= middle.top + 1 && middle.bottom <= controls.top + 1, tall: middle.height > 200};
      });
      expect(places, tab).toEqual({out: 0, over: 0, wide: true, order: true, tall: true});
    }
  });
}

test('what one touches is 44 px tall', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  const small = await page.evaluate(() => {
    const root = document.querySelector('lab-page')!.shadowRoot!;
    const all = [...root.querySelectorAll('button, lab-down .hit')].map((e) => ({name: e.textContent!.trim() || e.getAttribute('aria-label'), box: e.getBoundingClientRect()}));
    return all.filter(({box}) => box.height > 0 && box.height < 43.5).map(({name}) => name);
  });
  expect(small).toEqual([]);
});

for (const [name, at] of [['coordinator-dies', 29.5], ['eager-cooperative', 20.5], ['kafka-0.9', 40]] as const) {
  test(`${name} stays inside of the page`, async ({page}) => {
    await open(page, name, at);
    const out = await page.evaluate(() => [...document.querySelector('lab-page')!.shadowRoot!.querySelectorAll('lab-down text, lab-down g[data-node] rect')]
      .map((e) => e.getBoundingClientRect()).filter((b) => b.width && (b.left < -1 || b.right > innerWidth + 1)).length);
    expect(out).toBe(0);
  });
}

test('many members: those who tell something stay, and nothing leaves the page', async ({page}) => {
  await openText(page, large(20, ['c17']), 41e6);
  await expect(who(page, 'c17').or(page.locator('lab-down g[aria-label^="c17"]'))).toBeAttached();
  expect(await page.locator('lab-down g[data-node]').count()).toBeGreaterThan(3);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
});

for (const theme of ['light', 'dark', 'contrast']) {
  test(`no violations, ${theme}`, async ({page}) => {
    await open(page, 'consumer-dies', 41, `?theme=${theme}`);
    for (const tab of ['Group', 'Scenario', 'Picture']) {
      await page.getByRole('tab', {name: tab}).click();
      expect((await new AxeBuilder({page}).analyze()).violations, tab).toEqual([]);
    }
  });
}
