import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorld, HOUR, moment, NOW, work } from '../graphql/api-world.ts';
import { RESERVE, SUBMIT } from '../graphql/documents.ts';
import { needsChromium, PATIENCE_MILLISECONDS, signInByToken, violationsOf, visit } from './browser.ts';
import { addLooks, type ConsoleWorld, createConsoleWorld } from './console-world.ts';

let shown: ConsoleWorld;
let world: ApiWorld;
let base: string;
let browser: Browser | null;
let jobId: string;

needsChromium();
beforeAll(async () => {
  shown = await createConsoleWorld();
  ({ world, base, browser } = shown);
  // The longest name, which nothing divides.
  const input = { ...work, name: 'W'.repeat(128), startAt: moment(NOW + 6 * HOUR), probability: 0.8 };
  jobId = (await world.ask(world.tokens.workflow, RESERVE, { input })).data.reserve.reservation.job.id;
  // Jobs of promises are no jobs of the view of jobs, which has a table only where there are some.
  await world.ask(world.tokens.workflow, SUBMIT, { input: { ...work, name: 'listed' } });
  await addLooks(world);
});
afterAll(async () => {
  await shown.close();
});

/** Where each view is, and what it shows last. */
const places = () => [
  ['/jobs', 'Jobs'],
  [`/jobs/${encodeURIComponent(jobId)}`, 'Charge'],
  ['/reserve', 'Finish against size'],
  ['/reservations', 'Promises over sites'],
  ['/sites', 'Sites'],
  [`/sites/${encodeURIComponent(world.sites.slow)}`, 'Queues'],
  ['/operator', 'Tenants and tokens'],
];

async function openView(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(`${base}${path}`);
  await page.getByRole('heading', { name: heading }).first().waitFor();
}

/** 640 pixels are what 1,280 have room for at 200 %. */
test.each([360, 640])('in a window of %d pixels nothing lies beside it, and what is cut off is scrolled', {
  timeout: 5 * PATIENCE_MILLISECONDS,
}, async (width) => {
  const { page, complaints } = await visit(browser, { width, height: 740 });
  await signInByToken(page, base, world.tokens.admin);
  for (const [path = '', heading = ''] of places()) {
    await openView(page, path, heading);
    const beside = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(beside, path).toBeLessThanOrEqual(0);
    expect(await violationsOf(page), path).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

test('every line of a chart is named, and every column of a table has its place', {
  timeout: 3 * PATIENCE_MILLISECONDS,
}, async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.admin);
  await openView(page, `/sites/${encodeURIComponent(world.sites.slow)}`, 'Queues');
  const legendOf = (name: string) =>
    page.getByRole('figure', { name }).locator('.u-legend th:visible').allTextContents();
  expect(await legendOf('Jobs in the queue and running')).toEqual(['waiting jobs', 'running jobs']);
  expect(await legendOf('Processors in use and asked for')).toEqual(['in use', 'asked for by the queue', 'processors']);
  for (const path of ['/reservations', '/operator', '/jobs', '/sites']) {
    await openView(page, path, '');
    await page.getByRole('columnheader').first().waitFor();
    const cut = await page
      .locator('table.data th')
      .evaluateAll((heads) =>
        (heads as unknown as { scrollWidth: number; clientWidth: number; textContent: string }[])
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      );
    expect(cut, path).toEqual([]);
  }
  const heads = await page.getByRole('columnheader').all();
  expect(heads.length).toBeGreaterThan(12);
  for (const head of heads) expect((await head.boundingBox())?.width).toBeGreaterThan(40);
  const name = await page.getByRole('link', { name: 'slow' }).boundingBox();
  expect(name?.width).toBeGreaterThan(10);
});

test('a time of the coming week is taken into the form, and a week is seven questions', {
  timeout: 4 * PATIENCE_MILLISECONDS,
}, async () => {
  const { page, complaints } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  await openView(page, '/reserve', 'The coming week');
  const asked: string[] = [];
  page.on('request', (request) => {
    const words = request.postData() ?? '';
    if (/query (SixOffers|OneOffer)\b/.test(words)) asked.push(words);
  });
  const week = page.getByRole('figure', { name: 'The coming week' });
  await week.getByRole('button', { name: 'Work out the week' }).click();
  await expect
    .poll(
      () =>
        week
          .locator('td')
          .filter({ hasText: /proc h|≤/ })
          .count(),
      {
        timeout: 2 * PATIENCE_MILLISECONDS,
      },
    )
    .toBe(42);
  expect(asked).toHaveLength(7);
  const first = week.getByRole('button', { name: /proc h/ }).first();
  const at = (await first.getAttribute('title')) ?? '';
  await first.press('Enter');
  const field = await page.getByLabel('To be running at').inputValue();
  expect(at).toContain(field.slice(11, 16));
  await week
    .getByRole('button', { name: /proc h/ })
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
});
