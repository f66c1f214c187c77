import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, work } from '../graphql/api-world.ts';
import { RESERVE, SUBMIT } from '../graphql/documents.ts';
import { launchChromium, needsChromium, PATIENCE_MILLISECONDS, violationsOf, visit } from './browser.ts';
import { consolePaths } from './console-pages.ts';

const MARKUP = '"><img src=x onerror="alert(1)"><script>alert(2)</script>';
/** What a template, a link or a spreadsheet would take for more than text. */
const OTHERS = ['{{7*7}}', 'javascript:alert(3)', '=HYPERLINK("x")', '\u202eevil.exe', '\u{1f525}'.repeat(64)];

let world: ApiWorld;
let base: string;
let browser: Browser | null;
let jobId: string;

needsChromium();
beforeAll(async () => {
  world = await createApiWorld({}, { consoleFolder: join(import.meta.dirname, '../../../dist/web') });
  base = world.api.url.replace(/\/graphql$/, '');
  browser = await launchChromium();
  const { workflow } = world.tokens;
  const input = { ...work, name: MARKUP, startAt: moment(NOW + 6 * HOUR), probability: 0.8 };
  jobId = (await world.ask(workflow, RESERVE, { input })).data.reserve.reservation.job.id;
  for (const name of OTHERS) await world.ask(workflow, SUBMIT, { input: { ...work, name } });
  await writeEverywhere();
});
afterAll(async () => {
  await browser?.close();
  await world.close();
});

/** Puts markup into every text that callers, sites or admins write and that is shown, past all that checks it. */
async function writeEverywhere(): Promise<void> {
  const { db } = world.stores.database;
  const texts = [MARKUP, ...OTHERS];
  const siteId = fromGlobalId(world.sites.slow)?.id ?? '';
  const evidence = { sign: 'UNREACHABLE', sinceAt: NOW - 7200, observed: 7200, limit: 600, explanation: MARKUP };
  const window = { startAt: NOW + HOUR, endAt: NOW + 2 * HOUR, processors: 4, reason: MARKUP, queues: null };
  await db.site.update({
    where: { id: siteId },
    data: {
      ...{ name: MARKUP, adapter: MARKUP, tags: texts, fault: MARKUP },
      ...{ downEvidence: [evidence], maintenance: [window], suspendedAt: new Date((NOW - HOUR) * 1000) },
    },
  });
  await db.queue.createMany({
    data: texts.map((name) => ({ siteId, name, isDefault: false, unusableBecause: MARKUP })),
    skipDuplicates: true,
  });
  await db.execution.updateMany({
    where: { id: fromGlobalId(jobId)?.id ?? '' },
    data: {
      ...{ siteId, state: 'RUNNING', labels: texts.map((text) => `name=${text}`), reason: MARKUP, nativeId: MARKUP },
      ...{ siteQueue: MARKUP, startedAt: new Date((NOW - 60) * 1000), nativeSubmittedAt: new Date((NOW - 600) * 1000) },
    },
  });
  await db.principal.updateMany({ where: { name: 'workflow' }, data: { name: MARKUP } });
  await db.tenant.updateMany({ where: { name: 'biology' }, data: { name: MARKUP } });
}

async function signIn(page: Page): Promise<void> {
  await page.goto(base);
  await page.evaluate(
    `localStorage.setItem('gridcast.views', ${JSON.stringify(JSON.stringify([MARKUP, ...OTHERS].map((name) => ({ name, filters: { text: name } }))))})`,
  );
  await page.getByLabel('Token').fill(world.tokens.admin);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
}

/** Where each view is, with something to show, and what says that it is there. */
const PLACES: Readonly<Record<string, () => { address: string; until: string }>> = {
  '/': () => ({ address: '/', until: 'Jobs' }),
  '/jobs': () => ({ address: '/jobs', until: 'Jobs' }),
  '/jobs/$jobId': () => ({ address: `/jobs/${encodeURIComponent(jobId)}`, until: MARKUP }),
  '/reserve': () => ({ address: '/reserve', until: 'The price of certainty' }),
  '/reservations': () => ({ address: '/reservations', until: 'Reservations' }),
  '/sites': () => ({ address: '/sites', until: 'Sites' }),
  '/sites/$siteId': () => ({ address: `/sites/${encodeURIComponent(world.sites.slow)}`, until: 'Queues' }),
  '/operator': () => ({ address: '/operator', until: 'Tenants and tokens' }),
};

test('every view of the console is visited here', () => {
  expect(Object.keys(PLACES).sort()).toEqual(consolePaths().sort());
});

describe.each(Object.keys(PLACES))('%s', (path) => {
  const patience = { timeout: 3 * PATIENCE_MILLISECONDS };

  test('what callers and sites write is shown as text', patience, async () => {
    const { page, complaints } = await visit(browser);
    await signIn(page);
    const { address, until } = PLACES[path]?.() ?? { address: '', until: '' };
    await page.goto(`${base}${address}`);
    await page.getByRole('heading', { name: until }).first().waitFor();
    await page.getByText(MARKUP).first().waitFor({ state: 'attached' });
    for (const button of await page.getByRole('button', { name: 'Table', exact: true }).all()) await button.click();
    expect(await page.locator('main img, main script, main iframe, main a[href^="javascript:"]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('every chart is a table too, and goes to a file', patience, async () => {
    const { page, complaints } = await visit(browser);
    await signIn(page);
    const { address, until } = PLACES[path]?.() ?? { address: '', until: '' };
    await page.goto(`${base}${address}`);
    await page.getByRole('heading', { name: until }).first().waitFor();
    await page.waitForTimeout(500);
    expect(await page.locator('main :is(svg, canvas)').evaluateAll(OUTSIDE_OF_FRAMES)).toEqual([]);
    for (const chart of await page.locator('figure.chart').all()) {
      await chart.getByRole('button', { name: 'Table', exact: true }).click();
      expect(await chart.getByRole('columnheader').count()).toBeGreaterThan(1);
      const isHere = page.waitForEvent('download');
      await chart.getByRole('button', { name: 'CSV', exact: true }).click();
      expect((await isHere).suggestedFilename()).toMatch(/^[a-z0-9-]+\.csv$/);
    }
    expect(complaints).toEqual([]);
  });
});

/** Drawings that are in no frame of a chart, by what they are. */
const OUTSIDE_OF_FRAMES = (drawings: readonly unknown[]) =>
  (drawings as readonly { closest(selector: string): unknown; outerHTML: string }[])
    .filter((drawing) => !drawing.closest('figure.chart'))
    .map(({ outerHTML }) => outerHTML.slice(0, 100));

test.each([MARKUP, ...OTHERS])('%j in an address is an address of nothing, which a heading says', async (text) => {
  const { page, complaints } = await visit(browser);
  await signIn(page);
  for (const address of ['/jobs/', '/sites/', '/jobs?text=', '/jobs?labels=', '/']) {
    await page.goto(`${base}${address}${encodeURIComponent(text)}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  }
  expect(complaints).toEqual([]);
});
