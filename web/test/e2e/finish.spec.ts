// Faults that were found by looking, one test each.

import AxeBuilder from '@axe-core/playwright';
import {clock, expect, large, open, openText, reason, sentence, settled, test, who} from './page.ts';

test('questions of the coordinator that repeat are one burst with a number', async ({page}) => {
  await open(page, 'coordinator-dies', 29.5);
  const badges = page.locator('lab-stage .spread').filter({hasText: 'again and again'});
  await expect(badges).toHaveCount(3);
  expect(await page.locator('lab-stage path.res:not(.soft):not(.thin)').count()).toBeLessThan(24);
});

test('no label leaves its column', async ({page}) => {
  for (const [name, at] of [['consumer-dies', 41], ['static-restart', 25], ['eager-cooperative', 20.5], ['first-join', 4.5]] as const) {
    await open(page, name, at);
    const over = await page.evaluate(() => {
      const root = document.querySelector('lab-page')!.shadowRoot!, panel = root.querySelector('.panel')!, right = panel.getBoundingClientRect().right - 12;
      return [...panel.querySelectorAll('p, td, li > span, .machine text')].filter((e) => e.getBoundingClientRect().right > right || e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflow === 'hidden').map((e) => e.textContent);
    });
    expect(over, name).toEqual([]);
  }
  await page.getByRole('tab', {name: 'Events'}).click();
  const table = (await page.locator('.evs').boundingBox())!, panel = (await page.locator('.panel').boundingBox())!;
  expect(table.x + table.width).toBeLessThanOrEqual(panel.x + panel.width - 12);
});

test('the legend is whole in a low window', async ({page}) => {
  await page.setViewportSize({width: 1280, height: 800});
  await open(page, 'consumer-dies', 41);
  const stage = (await page.locator('lab-stage').boundingBox())!, words = (await page.locator('lab-stage svg text', {hasText: /^revoked$/}).boundingBox())!;
  expect(words.y + words.height).toBeLessThanOrEqual(stage.y + stage.height);
});

test('no number of the axis peeps out from under a flag', async ({page}) => {
  await open(page, 'clean-stop', 21);
  await expect(page.locator('lab-stage svg text.mid.q', {hasText: /^20$/})).toHaveCount(0);
  await expect(page.locator('lab-stage svg text.mid.q', {hasText: /^15$/})).toHaveCount(1);
});

test('each question opens in the middle of its wait, not at its end', async ({page}) => {
  for (const [name, at] of [['first-join', '1.5 s'], ['clean-stop', '20.5 s'], ['eager-cooperative', '20.5 s'], ['consumer-dies', /\d\d\.\d s/]] as const) {
    await open(page, name);
    await expect(clock(page)).toHaveText(at);
    await expect(sentence(page)).toContainText('more second');
  }
});

test('a coordinator that loads has no seconds; one that was started again registers late', async ({page}) => {
  await open(page, 'coordinator-dies', 29.003);
  await expect(sentence(page)).toHaveText(/^Waiting for broker 2 to load __consumer_offsets-18$/);
  await open(page, 'clean-stop', 15);
  const act = (line: string, at: number) => page.evaluate(async ([line, at]) => {
    const {run} = document.querySelector('lab-page') as unknown as {run: {act(line: string): Promise<void>; seek(t: number): void}};
    await run.act(line as string);
    run.seek(at as number);
  }, [line, at]);
  await act('kill broker 1', 17e6);
  await settled(page);
  await act('start broker 1', 19e6);
  await settled(page);
  await expect(reason(page)).toHaveText('Broker 1 was killed at 15.0 s and started again at 17.0 s. It registers when its old session has ended, at 24.0 s.');
});

test('20 members: both bands in sight, the rest counted; heartbeats are a number; all can be unfolded', async ({page}) => {
  await openText(page, large(20, ['c2']), 41e6);
  await expect(page.locator('lab-stage .more')).toHaveCount(2);
  await expect(who(page, 'c2')).toBeInViewport();
  await expect(page.locator('lab-stage')).toContainText('heartbeats');
  await expect(page.locator('lab-stage path.hb:not([d*="m6"])')).toHaveCount(0);
  await page.locator('lab-stage .more').first().focus();
  await page.keyboard.press('Enter');
  await expect(who(page, 'c21')).toBeAttached();
  await expect(page.locator('lab-stage .more').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(who(page, 'c21')).toHaveCount(0);
});

test('over 40 members a group of rows opens, and whoever is in it can be acted upon', async ({page}) => {
  await openText(page, large(60, ['c17', 'c42']), 41e6);
  await expect(sentence(page)).toHaveText(/^Waiting for 2 of 61, 22 more seconds/);
  await page.locator('lab-stage .more').first().focus();
  await page.keyboard.press('Enter');
  await who(page, 'c5:').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toContainText('parked in JoinGroup');
  await page.keyboard.press('Escape');
  await expect(who(page, 'c5:')).toBeFocused();
  await page.locator('lab-stage .more').first().press('Enter');
  await expect(who(page, 'c5:')).toHaveCount(0);
});

test('an assignment is shown in three stages, forward and one event at a time', async ({page}) => {
  test.slow(); // a step of a clock that is moved by hand takes seconds
  await open(page, 'consumer-dies', 63.01);
  // Time goes on by hand: a busy machine leaves out no stage.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  await page.keyboard.press('ArrowRight');
  const seen: string[] = [];
  for (let t = 0; t < 1000; t += 80) {
    await page.clock.runFor(80);
    const stage = await page.evaluate(() => document.querySelector('lab-page')!.shadowRoot!.querySelector<SVGElement>('lab-stage .handing')?.dataset['stage']);
    if (stage && seen.at(-1) !== stage) seen.push(stage);
  }
  expect(seen).toEqual(['0', '1', '2']);
  await expect(page.locator('lab-stage .handing')).toHaveCount(0);
});

test.describe('reduced motion', () => {
  test.use({contextOptions: {reducedMotion: 'reduce'}});
  test('an assignment is simply there', async ({page}) => {
    await open(page, 'consumer-dies', 63.01);
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('lab-stage .handing')).toHaveCount(0);
    await settled(page);
    await expect(page.locator('lab-stage .handing')).toHaveCount(0);
  });
});

test('acting keeps the inspector where it is while the new View is on its way', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  const empty = page.evaluate(() => new Promise<boolean>((resolve) => {
    const root = document.querySelector('lab-page')!.shadowRoot!, since = performance.now();
    let gone = false;
    const look = () => {
      gone ||= !root.querySelector('lab-group .members');
      if (performance.now() - since < 900) requestAnimationFrame(look);
      else resolve(gone);
    };
    look();
  }));
  await who(page, 'c3').click();
  await page.keyboard.press('x');
  expect(await empty).toBe(false);
  await expect(who(page, 'c3')).toBeFocused();
});

test('the focus has a place when what had it goes away', async ({page}) => {
  await open(page, 'consumer-dies', 41);
  const inPage = () => page.evaluate(() => document.querySelector('lab-page')!.shadowRoot!.activeElement?.className ?? '');
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('Escape');
  expect(await inPage()).toBe('panel');
  await page.keyboard.press('w');
  await page.getByRole('button', {name: 'Close'}).press('Enter');
  expect(await inPage()).toBe('panel');
  await page.getByRole('tab', {name: '__consumer_offsets'}).click();
  await page.locator('.log button:not([aria-expanded])').first().press('Enter');
  expect(await inPage()).toBe('panel');
  const next = page.getByRole('button', {name: /^Next event/});
  await next.focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('button', {name: 'No more events'})).toBeFocused();
});

test('a wide font cuts no state and covers no name', async ({page}) => {
  await page.setViewportSize({width: 1000, height: 800});
  await open(page, 'consumer-dies', 41);
  const over = await page.evaluate(() => {
    const root = document.querySelector('lab-page')!.shadowRoot!;
    const text = [...root.querySelectorAll<SVGTextElement>('lab-stage text.inv')].filter((t) => t.textContent?.includes('Rebalance'));
    const flag = root.querySelector('lab-stage .now-line')!.getBoundingClientRect();
    return text.map((t) => t.getBoundingClientRect().right - flag.left).filter((d) => d > 0);
  });
  expect(over).toEqual([]);
});

test('600 px: a name is never cut at an edge', async ({page}) => {
  await page.setViewportSize({width: 600, height: 800});
  await open(page, 'consumer-dies', 41);
  await page.getByRole('button', {name: 'Messages'}).click();
  await expect(who(page, 'c3')).toBeVisible();
  const cut = await page.evaluate(() => {
    const root = document.querySelector('lab-page')!.shadowRoot!;
    return [...root.querySelectorAll('lab-stage g[clip-path="url(#plot)"] text')].map((t) => ({text: t.textContent, box: t.getBoundingClientRect()}))
      .filter(({box}) => box.left < innerWidth - 2 && box.right > innerWidth + 2 || box.left < 136 && box.right > 142).map(({text}) => text);
  });
  expect(cut).toEqual([]);
  await expect(page.getByRole('button', {name: /22\.0 s on$/})).toBeInViewport();
});

test('axe is clean with 20 and with 60 members, opened ones too', async ({page}) => {
  for (const [members, killed] of [[20, ['c2']], [60, ['c17', 'c42']]] as const) {
    await openText(page, large(members, [...killed]), 41e6);
    await page.locator('lab-stage .more').first().press('Enter');
    expect((await new AxeBuilder({page}).analyze()).violations, `${members} members`).toEqual([]);
  }
});
