// Names of any script and any length: nothing overflows, nothing overlaps, and
// the whole name can be had.

import type {RebalanceLab} from '../../public/rebalance-lab.d.ts';
import {type Page} from '@playwright/test';
import {expect, openText, test} from './page.ts';

const GROUP = '"👩‍👩‍👧 checkout מסלול ארוך מאוד"', TOPICS = '"订单-支付-事件-流水-2026","🛒🧾",הזמנות';
const names = ['处理器一号-上海-机房-第三排', '"👩‍👩‍👧‍👦🧑‍🚀 pod"', 'מעבד-הזמנות-ראשון', 'a-consumer-with-a-very-long-name-of-a-pod-7f9c'];
const text = `kafka 3.9
brokers 3
topic "订单-支付-事件-流水-2026" partitions=3 rate=60/s
topic "🛒🧾" partitions=2
topic הזמנות partitions=2
group ${GROUP} assignor=range session.timeout.ms=45000
${names.map((n) => `consumer ${n} group=${GROUP} topics=${TOPICS}`).join('\n')}
at 20s kill מעבד-הזמנות-ראשון
at 31s kill 处理器一号-上海-机房-第三排
run until 75s
`;

/** Texts that leave their root, or stand on another one of the same row. */
async function faults(page: Page, host: string): Promise<string[]> {
  return page.evaluate((host) => {
    const element = document.querySelector(host)!, root = element.shadowRoot!, frame = element.getBoundingClientRect(), found: string[] = [];
    const shown = (e: Element) => e.checkVisibility() && !e.closest('.away, [clip-path]');
    const all = [...root.querySelectorAll('svg text, .m, .head, .reason, .cap, td, h2, h3')].filter(shown).map((e) => ({e, box: e.getBoundingClientRect()})).filter(({box}) => box.width > 1);
    for (const {e, box} of all) if (box.left < frame.left - 1 || box.right > frame.right + 1) found.push(`outside: ${e.textContent}`);
    const heads = all.filter(({e}) => e.matches('text') && !e.matches('.halo, .inv'));
    for (const a of heads) {
      for (const b of heads) {
        const x = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left), y = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (a !== b && x > 2 && y > 6 && !a.e.contains(b.e) && !b.e.contains(a.e) && a.e.closest('svg') === b.e.closest('svg')) found.push(`over each other: ${a.e.textContent} / ${b.e.textContent}`);
      }
    }
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth) found.push('the page scrolls sideways');
    return found;
  }, host);
}

for (const [width, height] of [[1440, 900], [760, 800], [390, 844]] as const) {
  test(`the page, ${width} px`, async ({page}, info) => {
    await page.setViewportSize({width, height});
    await openText(page, text, 41e6);
    await info.attach('page', {body: await page.screenshot({path: info.outputPath('page.png')}), contentType: 'image/png'});
    expect(await faults(page, 'lab-page')).toEqual([]);
    // What is short in the picture has its whole name in a title, or in what is spoken.
    const titles = await page.evaluate(() => [...document.querySelector('lab-page')!.shadowRoot!.querySelectorAll('title, [title], [aria-label]')].map((e) => e.getAttribute('title') ?? e.getAttribute('aria-label') ?? e.textContent).join('\n'));
    for (const name of ['a-consumer-with-a-very-long-name-of-a-pod-7f9c', 'מעבד-הזמנות-ראשון', '订单-支付-事件-流水-2026']) expect(titles).toContain(name);
  });
}

for (const width of [720, 358]) {
  test(`the element, ${width} px`, async ({page}, info) => {
    await page.setViewportSize({width: width + 16, height: 760});
    await page.route('**/host.html', (route) => route.fulfill({contentType: 'text/html; charset=utf-8', body: `<!doctype html><html lang="en"><head><title>host</title>
      <script type="module" src="rebalance-lab.js"></script></head><body><rebalance-lab at="41s"><pre>${text}</pre></rebalance-lab></body></html>`}));
    await page.goto('docs/handbook/host.html');
    const element = page.locator('rebalance-lab');
    await expect.poll(() => element.evaluate((e: RebalanceLab) => e.state)).toBe('ready');
    await expect(element.locator('lab-band svg, lab-down svg').first()).toBeVisible();
    for (const view of ['ownership', 'messages'] as const) {
      await element.evaluate((e: RebalanceLab, view) => (e.view = view), view);
      await expect(element.getByRole('button', {name: view, pressed: true}).or(element.locator('lab-down'))).toBeVisible();
      await info.attach(view, {body: await page.screenshot({path: info.outputPath(`${view}.png`)}), contentType: 'image/png'});
      expect(await faults(page, 'rebalance-lab'), view).toEqual([]);
    }
  });
}
