import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, HOUR, moment, NOW, work } from '../graphql/api-world.ts';
import { RESERVE, SUBMIT } from '../graphql/documents.ts';
import { needsChromium, PATIENCE_MILLISECONDS, violationsOf, visit } from './browser.ts';
import { addLooks, type ConsoleWorld, createConsoleWorld } from './console-world.ts';

const ROUTER = join(import.meta.dirname, '../../../src/web/app/router.tsx');
const MARKUP = '"><img src=x onerror="alert(1)"><script>alert(2)</script>';
/** What a template, a link or a spreadsheet would take for more than text. */
const OTHERS = ['{{7*7}}', 'javascript:alert(3)', '=HYPERLINK("x")', '\u202eevil.exe', '\u{1f525}'.repeat(64)];

let shown: ConsoleWorld;
let world: ApiWorld;
let base: string;
let browser: Browser | null;
let jobId: string;

needsChromium();
beforeAll(async () => {
  shown = await createConsoleWorld();
  ({ world, base, browser } = shown);
  const { workflow } = world.tokens;
  const input = { ...work, name: MARKUP, startAt: moment(NOW + 6 * HOUR), probability: 0.8 };
  jobId = (await world.ask(workflow, RESERVE, { input })).data.reserve.reservation.job.id;
  for (const name of OTHERS) await world.ask(workflow, SUBMIT, { input: { ...work, name } });
  await writeEverywhere();
});
afterAll(async () => {
  await shown.close();
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
  await addLooks(world);
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

interface Place {
  readonly address: string;
  /** The heading that says that it is there. */
  readonly heading: string;
  /** Charts that it shows at least. */
  readonly charts: number;
}

/** Where each view is, with something to show. */
const PLACES: Readonly<Record<string, () => Place>> = {
  '/': () => ({ address: '/', heading: 'Jobs', charts: 0 }),
  '/jobs': () => ({ address: '/jobs', heading: 'Jobs', charts: 0 }),
  '/jobs/$jobId': () => ({ address: `/jobs/${encodeURIComponent(jobId)}`, heading: MARKUP, charts: 1 }),
  '/reserve': () => ({ address: '/reserve', heading: 'The price of certainty', charts: 2 }),
  '/reservations': () => ({ address: '/reservations', heading: 'Reservations', charts: 1 }),
  '/sites': () => ({ address: '/sites', heading: 'Sites', charts: 0 }),
  '/sites/$siteId': () => ({
    ...{ address: `/sites/${encodeURIComponent(world.sites.slow)}`, heading: 'Queues', charts: 3 },
  }),
  '/operator': () => ({ address: '/operator', heading: 'Tenants and tokens', charts: 1 }),
};

/** A view as an admin sees it, once all of it is there. */
async function open({ address, heading, charts }: Place) {
  const visitor = await visit(browser);
  const { page } = visitor;
  await signIn(page);
  await page.goto(`${base}${address}`);
  await page.getByRole('heading', { name: heading }).first().waitFor();
  if (charts > 0)
    await page
      .locator('figure.chart')
      .nth(charts - 1)
      .waitFor();
  return visitor;
}

test('every view of the console is visited here', () => {
  const paths = [...readFileSync(ROUTER, 'utf8').matchAll(/ path: '([^']+)'/g)].map(([, path]) => path as string);
  expect(Object.keys(PLACES).sort()).toEqual(paths.sort());
});

describe.each(Object.entries(PLACES))('%s', (_path, placeOf) => {
  const patience = { timeout: 3 * PATIENCE_MILLISECONDS };

  test('what callers and sites write is shown as text', patience, async () => {
    const { page, complaints } = await open(placeOf());
    await page.getByText(MARKUP).first().waitFor({ state: 'attached' });
    for (const button of await page.getByRole('button', { name: 'Table', exact: true }).all()) await button.click();
    expect(await page.locator('main img, main script, main iframe, main a[href^="javascript:"]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('every chart is a table too, and goes to a file', patience, async () => {
    const { page, complaints } = await open(placeOf());
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
