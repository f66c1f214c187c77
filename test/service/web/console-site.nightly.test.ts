import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { saveScores } from '../../../src/store/scores.ts';
import { type ApiWorld, NOW } from '../graphql/api-world.ts';
import { needsChromium, PATIENCE_MILLISECONDS, reachByTab, signInByToken, violationsOf, visit } from './browser.ts';
import { type ConsoleWorld, createConsoleWorld } from './console-world.ts';

const LOOKS = 40;
const DAY = 86_400;

let shown: ConsoleWorld;
let world: ApiWorld;
let base: string;
let browser: Browser | null;
let slow: string;

needsChromium();
beforeAll(async () => {
  shown = await createConsoleWorld();
  ({ world, base, browser } = shown);
  slow = `${base}/sites/${encodeURIComponent(world.sites.slow)}`;
  const { db } = world.stores.database;
  const siteId = fromGlobalId(world.sites.slow)?.id ?? '';
  await db.observation.createMany({
    data: Array.from({ length: LOOKS }, (_, index) => ({
      ...{ siteId, observedAt: new Date((NOW - 60 * (index + 1)) * 1000), processors: 256, freeProcessors: index },
      ...{ waitingJobs: 3 * index, waitingProcessors: 12 * index, runningJobs: 20 },
    })),
    skipDuplicates: true,
  });
  const made = { siteId, forecastId: null, quantity: 'wait', predictor: 'wait/qbets', predicted: 0.9 };
  await saveScores(
    db,
    Array.from({ length: 60 }, (_, index) => [
      {
        ...{ ...made, metric: 'PROMISE' as const, executionId: randomUUID() },
        ...{ actual: index % 10 ? 1 : 0, scoredAt: NOW - (index % 3) * DAY },
      },
      {
        ...{ ...made, metric: 'POINT' as const, executionId: randomUUID() },
        ...{ predicted: 3600, actual: 60 * index, scoredAt: NOW - (index % 3) * DAY },
      },
    ]).flat(),
  );
  await db.site.update({
    where: { id: fromGlobalId(world.sites.stale)?.id ?? '' },
    data: {
      downEvidence: [
        { sign: 'UNREACHABLE', sinceAt: NOW - 7200, observed: 7200, limit: 600, explanation: 'it was silent for 2 h' },
      ],
      suspendedAt: new Date((NOW - 3600) * 1000),
    },
  });
});
afterAll(async () => {
  await shown.close();
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test('the view of a site keeps to the rules of access, its charts as tables too', {
    timeout: 4 * PATIENCE_MILLISECONDS,
  }, async () => {
    const { page, complaints } = await visit(browser, { colorScheme });
    await signInByToken(page, base, world.tokens.admin);
    await page.goto(slow);
    for (const name of [
      'Jobs in the queue and running',
      'Processors in use and asked for',
      'Load forecast',
      'Wait by size and walltime',
      'Promised against kept by day',
      'Mean error of wait by day',
      'Down-time',
      'Queues',
    ]) {
      await page.getByRole('heading', { level: 2, name }).waitFor();
    }
    expect(await page.getByText('Nothing speaks for its being down').count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    for (const button of await page.getByRole('button', { name: 'Table' }).all()) await button.click();
    const waits = page.getByRole('region', { name: 'Wait by size and walltime' }).locator('tbody tr');
    // 1, 4, 16, 64 and all 256, with five walltimes each.
    expect(await waits.count()).toBe(5 * 5);
    expect(await page.getByRole('region', { name: 'Jobs in the queue' }).locator('tbody tr').count()).toBe(LOOKS + 1);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('region', { name: 'How true it came' }).locator('select').selectOption('promise');
    await page.getByRole('heading', { name: 'Reliability of promise' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

test('a site that is down says what speaks for that', async () => {
  const { page, complaints } = await visit(browser);
  await signInByToken(page, base, world.tokens.admin);
  await page.goto(`${base}/sites/${encodeURIComponent(world.sites.stale)}`);
  await page.getByText('it was silent for 2 h').waitFor();
  await page.getByText('Promises there are suspended since').waitFor();
  await page.getByText('was not seen for long').waitFor();
  expect(complaints).toEqual([]);
});

test('an admin drains a site by the keyboard, after a confirmation, and takes it back', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.admin);
  await page.goto(`${base}/sites`);
  await page.getByRole('link', { name: 'slow' }).press('Enter');
  const drain = page.getByRole('button', { name: 'Drain …' });
  await drain.press('Enter');
  await page.getByRole('alertdialog').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  // The focus is on what changes nothing.
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  const siteId = fromGlobalId(world.sites.slow)?.id ?? '';
  const stateOf = async () => (await world.stores.database.db.site.findUniqueOrThrow({ where: { id: siteId } })).state;
  expect(await stateOf()).toBe('ACTIVE');
  await drain.press('Enter');
  await page.getByRole('alertdialog').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Take back into service …' }).waitFor();
  expect(await stateOf()).toBe('DRAINING');
  await page.getByRole('button', { name: 'Take back into service …' }).click();
  await page.getByRole('button', { name: 'Take it back' }).click();
  await drain.waitFor();
  expect(await stateOf()).toBe('ACTIVE');
});

test('the grid shows admins who learns a site, follows each by its row, and tells others nothing of that', async () => {
  const { page, complaints } = await visit(browser);
  await signInByToken(page, base, world.tokens.admin);
  await page.goto(`${base}/sites`);
  const row = page.getByRole('row', { name: /slow/ });
  await page.getByRole('columnheader', { name: "Model's age" }).waitFor();
  await row.getByRole('cell', { name: /^(process \d+|nobody now)$/ }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const drain = 'mutation($input: DrainSiteInput!) { drainSite(input: $input) { site { state } } }';
  for (const [isDrained, state] of [
    [true, 'DRAINING'],
    [false, 'ACTIVE'],
  ] as const) {
    await world.ask(world.tokens.admin, drain, { input: { id: world.sites.slow, drain: isDrained } });
    await row.locator(`[data-state="${state}"]`).waitFor();
  }
  const other = await visit(browser);
  await signInByToken(other.page, base, world.tokens.stranger);
  await other.page.goto(`${base}/sites`);
  await other.page.getByRole('row', { name: /slow/ }).waitFor();
  expect(await other.page.getByRole('columnheader', { name: /Model|Learned/ }).count()).toBe(0);
  expect([...complaints, ...other.complaints]).toEqual([]);
});

test('who is no admin sees the site, and neither drains it nor sees how it is run', async () => {
  const { page, complaints } = await visit(browser);
  await signInByToken(page, base, world.tokens.stranger);
  await page.goto(slow);
  await page.getByRole('heading', { name: 'Wait by size and walltime' }).waitFor();
  await page.getByRole('heading', { name: 'Mean error of wait by day' }).waitFor();
  for (const hidden of ['Drain …', 'Down-time', 'Load forecast', 'Model learned by']) {
    expect(await page.getByText(hidden).count()).toBe(0);
  }
  const reached = await reachByTab(page);
  expect(reached).toEqual(expect.arrayContaining(['Table', 'CSV', 'Queues and their limits']));
  expect(complaints).toEqual([]);
});

test('a site that is not there is shown as that, and a new look at one without being asked', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.gateway);
  await page.goto(`${base}/sites/nothing`);
  await page.getByText('There is no such site').waitFor();
  await page.goto(slow);
  await page.getByRole('button', { name: 'CSV' }).first().waitFor();
  const drained = await world.ask(
    world.tokens.admin,
    'mutation($input: DrainSiteInput!) { drainSite(input: $input) { site { state } } }',
    { input: { id: world.sites.slow, drain: true } },
  );
  expect(drained.data.drainSite.site.state).toBe('DRAINING');
  await page.locator('h1 + [data-state="DRAINING"]').waitFor();
});
