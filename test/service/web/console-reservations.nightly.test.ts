import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, HOUR, moment, NOW, work } from '../graphql/api-world.ts';
import { CO_ALLOCATE, RESERVE } from '../graphql/documents.ts';
import { needsChromium, PATIENCE_MILLISECONDS, reachByTab, signInByToken, violationsOf, visit } from './browser.ts';
import { type ConsoleWorld, createConsoleWorld } from './console-world.ts';

let shown: ConsoleWorld;
let world: ApiWorld;
let base: string;
let browser: Browser | null;

const own = (globalId: string) => fromGlobalId(globalId)?.id ?? '';
const date = (at: number) => new Date(at * 1000);

/** A promise for an hour of the coming evening. */
async function promise(name: string, hours: number) {
  const input = { ...work, name, startAt: moment(NOW + hours * HOUR), probability: 0.6 };
  const { data } = await world.ask(world.tokens.workflow, RESERVE, { input });
  return { id: own(data.reserve.reservation.id), jobId: own(data.reserve.reservation.job.id) };
}

needsChromium();
beforeAll(async () => {
  shown = await createConsoleWorld();
  ({ world, base, browser } = shown);
  const { db } = world.stores.database;
  await promise('waits', 5);
  const [kept, missed, holding] = [
    await promise('was kept', 6),
    await promise('was missed', 7),
    await promise('holds', 8),
  ];
  const set = async (
    { id, jobId }: typeof kept,
    state: 'KEPT' | 'MISSED' | 'HOLDING',
    startAt: number,
    ran: object,
  ) => {
    await db.reservation.update({ where: { id }, data: { state, startAt: date(startAt), decidedAt: date(NOW) } });
    const submitted = { nativeSubmittedAt: date(startAt - 2 * HOUR), state: 'RUNNING' as const };
    await db.execution.update({ where: { id: jobId }, data: { ...submitted, ...ran } });
  };
  await set(kept, 'KEPT', NOW - HOUR, { startedAt: date(NOW - 1.5 * HOUR), endedAt: date(NOW - 0.5 * HOUR) });
  await set(missed, 'MISSED', NOW - HOUR, {});
  await set(holding, 'HOLDING', NOW + HOUR, { startedAt: date(NOW - 0.5 * HOUR) });
  const legs = ['a', 'b'].map((name) => ({ ...work, id: name, name: `leg ${name}` }));
  const { data } = await world.ask(world.tokens.workflow, CO_ALLOCATE, {
    input: { legs, rule: 'ANY', startAt: moment(NOW + 4 * HOUR), probability: 0.5 },
  });
  const { coAllocation } = data.coAllocate;
  // One leg may be enough: then it is there alone. Its group is decided as if another one had won.
  const [loser] = coAllocation.legs;
  await db.reservation.update({ where: { id: own(loser.id) }, data: { state: 'CANCELLED', decidedAt: date(NOW) } });
  await db.coAllocation.update({ where: { id: own(coAllocation.id) }, data: { state: 'SUCCEEDED' } });
});
afterAll(async () => {
  await shown.close();
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test('promises are drawn over their sites, each as what became of it', {
    timeout: 3 * PATIENCE_MILLISECONDS,
  }, async () => {
    const { page, complaints } = await visit(browser, { colorScheme });
    await signInByToken(page, base, world.tokens.workflow);
    await page.goto(`${base}/reservations`);
    const bar = (state: string) => page.locator(`[data-bar][data-state="${state}"]`);
    await bar('KEPT').waitFor({ state: 'attached' });
    // Half an hour of padding was paid, and is hatched.
    expect(await bar('KEPT').locator('rect.gantt-padding').getAttribute('fill')).toBe('url(#padding)');
    expect(await bar('KEPT').locator('title').textContent()).toContain('30 min of padding');
    expect(await bar('MISSED').locator('.gantt-cross').count()).toBe(1);
    expect(await bar('MISSED').locator('.gantt-padding').count()).toBe(0);
    expect(await bar('HOLDING').locator('title').textContent()).toContain('1 h 30 min of padding');
    expect(await bar('CANCELLED').first().getAttribute('data-struck')).toBe('lost');
    expect(await bar('CANCELLED').first().locator('.gantt-strike').count()).toBe(1);
    expect(await page.locator('.gantt-site').count()).toBeGreaterThan(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('cell', { name: 'was missed' }).first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

test('the same is taken away as CSV, and reached by the keyboard', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  await page.goto(`${base}/reservations`);
  const figure = page.getByRole('figure', { name: 'Promises over sites' });
  await figure.waitFor();
  expect(await reachByTab(page)).toEqual(expect.arrayContaining(['Table', 'CSV', 'was kept']));
  const saved = page.waitForEvent('download');
  await figure.getByRole('button', { name: 'CSV' }).press('Enter');
  const rows = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(rows[0]).toMatch(/^site,job,leg,state,lost to another leg,start/);
  expect(rows.filter((row) => row.includes(',was kept,'))).toHaveLength(1);
  expect(rows.filter((row) => /,cancelled,true,/.test(row))).toHaveLength(1);
  await page.getByLabel('Promises for').selectOption('12');
  await figure.locator('[data-state="KEPT"]').waitFor({ state: 'attached' });
});

test('what becomes of a promise is drawn without being asked for', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  await page.goto(`${base}/reservations`);
  await page.locator('[data-bar][data-state="PROMISED"]').first().waitFor({ state: 'attached' });
  const before = await page.locator('[data-bar]').count();
  await promise('one more', 9);
  await page.locator(`[data-bar] >> nth=${before}`).waitFor({ state: 'attached' });
});
