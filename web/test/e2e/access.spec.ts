import AxeBuilder from '@axe-core/playwright';
import {clock, expect, open, reason, sentence, settled, slider, test, who} from './page.ts';

for (const theme of ['light', 'dark', 'contrast']) {
  test(`no violations, ${theme}`, async ({page}) => {
    await page.goto(`?theme=${theme}`);
    await expect(page.locator('.card .mini svg')).toHaveCount(8);
    expect((await new AxeBuilder({page}).analyze()).violations).toEqual([]);
    await open(page, 'consumer-dies', 41, `?theme=${theme}`);
    for (const tab of ['Group', '__consumer_offsets', 'Events']) {
      await page.getByRole('tab', {name: tab}).click();
      expect((await new AxeBuilder({page}).analyze()).violations, tab).toEqual([]);
    }
    await who(page, 'c3').click();
    expect((await new AxeBuilder({page}).analyze()).violations, 'menu').toEqual([]);
  });
}

test('a whole lesson by keyboard alone', async ({page}) => {
  await page.goto('');
  await expect(page.locator('.card')).toHaveCount(8);
  const card = page.locator('.card').first();
  while (!(await card.evaluate((e) => e.matches(':focus')))) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('lab-stage svg').first()).toBeVisible();
  await page.keyboard.press('Home');
  await expect(clock(page)).toHaveText('0.0 s');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await expect(clock(page)).toHaveText('40.0 s');
  await page.keyboard.press('f');
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowDown');
  await expect(who(page, 'c3')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', {name: /Kill/})).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', {name: /Stop/})).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(reason(page)).toContainText('this is branch 2');
  await page.keyboard.press('b');
  await expect(page.locator('.branch text.b').first()).toHaveText('1');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', {name: 'Keys'})).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('g');
  await expect(page.locator('.card')).toHaveCount(8);
});

test('the slider says in words where it stands', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /^event \d+ of \d+, 41\.0 seconds, Waiting for c2, \d+ more seconds/);
  await slider(page).focus();
  await page.keyboard.press('ArrowRight');
  await settled(page);
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /63\.0 seconds/);
  await page.keyboard.press('End');
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '75');
});

test('a change of the sentence is spoken, and only once a second', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  const status = page.locator('lab-say [role="status"]');
  await expect(status).toHaveText(/^Waiting for c2/);
  await page.keyboard.press('Home');
  await expect(status).not.toHaveText(/^Waiting for c2/);
});

test('the theme can be chosen and is kept', async ({page}) => {
  await page.goto('');
  await page.getByRole('button', {name: 'Colours'}).click();
  await page.getByRole('menuitemradio', {name: 'Dark'}).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test.describe('reduced motion', () => {
  test.use({contextOptions: {reducedMotion: 'reduce'}});
  test('nothing takes time', async ({page}) => {
    await open(page, 'consumer-dies', 41);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--move').trim())).toMatch(/^0m?s$/);
    await page.keyboard.press('ArrowRight');
    await settled(page);
    await expect(clock(page)).toHaveText('63.0 s');
  });
});

test('it works below a path', async ({page}) => {
  await page.goto('docs/lab/');
  await expect(page.locator('.card .mini svg')).toHaveCount(8);
  await open(page, 'consumer-dies', 41, 'docs/lab/');
  await expect(sentence(page)).toContainText('c2');
});

for (const width of [1000, 700]) {
  test(`${width} px: nothing overflows sideways`, async ({page}) => {
    await page.setViewportSize({width, height: 800});
    await page.goto('');
    await expect(page.locator('.card')).toHaveCount(8);
    const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await sideways()).toBe(0);
    await open(page, 'consumer-dies', 41);
    expect(await sideways()).toBe(0);
    await expect(sentence(page)).toBeInViewport();
    await expect(page.getByRole('button', {name: 'play (space)'})).toBeInViewport();
    await page.getByRole('button', {name: 'Inspector'}).click();
    await expect(page.locator('lab-group h2')).toBeInViewport();
    await page.keyboard.press('Escape');
    await expect(page.locator('lab-group h2')).not.toBeInViewport();
    if (width < 900) {
      await page.getByRole('button', {name: 'Messages'}).click();
      await expect(who(page, 'c3')).toBeVisible();
    }
  });
}
