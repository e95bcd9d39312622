// What all tests of the page need: a page that reports every error, and words
// for where things stand. Playwright looks through the shadow root by itself.

import {expect, test as base, type Page} from '@playwright/test';

export const test = base.extend<{errors: string[]}>({
  errors: [async ({page}, use) => {
    const errors: string[] = [];
    page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
    page.on('pageerror', (e) => errors.push(e.message));
    await use(errors);
    expect(errors, 'errors in the console').toEqual([]);
  }, {auto: true}],
});

export {expect};

export const sentence = (page: Page) => page.locator('lab-say h1');
export const reason = (page: Page) => page.locator('lab-say > p').first();
export const clock = (page: Page) => page.locator('.clock');
export const slider = (page: Page) => page.getByRole('slider', {name: 'time'});
export const who = (page: Page, name: string) => page.locator(`lab-stage g[role="button"][tabindex="0"][aria-label^="${name}"]`);

/** Opens a scenario at a time and waits until the engine has spoken. */
export async function open(page: Page, scenario: string, at?: number, path = ''): Promise<void> {
  await page.goto(`${path}#s=${scenario}${at === undefined ? '' : `&t=${at}`}`);
  await expect(page.locator('lab-stage svg, lab-down svg').first()).toBeVisible();
  await expect(page.locator('lab-group h2, lab-phone').first()).toBeAttached();
  await page.waitForFunction((name) => (document.querySelector('lab-page') as unknown as {run: {name: string}}).run.name === name, scenario);
  await settled(page);
}

/** Opens any text, as a large scenario that stands in no gallery. */
export async function openText(page: Page, text: string, at: number): Promise<void> {
  await open(page, 'consumer-dies', 41);
  await page.evaluate(([text, at]) => {
    const {run} = document.querySelector('lab-page') as unknown as {run: {name: string; open(name: string, title: string, text: string, at: number): Promise<void>}};
    return run.open(run.name, 'Large', text, at);
  }, [text, at] as const);
  await settled(page);
}

/** A group of so many, of whom some are killed at 20 s; one more joins at 31 s. */
export const large = (members: number, killed: string[], end = 90) => `rebalance-lab 1
kafka 3.9
brokers 3
topic orders partitions=${members * 2} rate=${members * 10}/s
group checkout assignor=range session.timeout.ms=45000
consumer c1..c${members} group=checkout topics=orders process=2ms
${killed.map((name) => `at 20s kill ${name}`).join('\n')}
at 31s consumer c${members + 1} group=checkout topics=orders process=2ms
run until ${end}s
`;

/** The View at the playhead has come: the page says nothing provisional. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const {run} = document.querySelector('lab-page') as unknown as {run: {view: {at: number; branch: number} | null; now: number; branch: number}};
    return run.view?.at === run.now && run.view.branch === run.branch;
  });
}
