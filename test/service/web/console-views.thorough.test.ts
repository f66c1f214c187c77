import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, HOUR, moment, NOW, work } from '../graphql/api-world.ts';
import { RESERVE, SUBMIT } from '../graphql/documents.ts';
import { needsChromium, PATIENCE_MILLISECONDS, reachByTab, signInByToken, violationsOf, visit } from './browser.ts';
import { type ConsoleWorld, createConsoleWorld } from './console-world.ts';

const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
const RIGHT_TO_LEFT = '\u202eevil.exe \u05e9\u05dc\u05d5\u05dd';
const EMOJI = '\u{1f525}'.repeat(64);

let shown: ConsoleWorld;
let world: ApiWorld;
let base: string;
let browser: Browser | null;
/** A job with a promise, and one at a site that has not been seen for long. */
const jobs = { promised: '', atStale: '' };

needsChromium();
beforeAll(async () => {
  shown = await createConsoleWorld();
  ({ world, base, browser } = shown);
  const { gateway, workflow } = world.tokens;
  for (const name of [MARKUP, RIGHT_TO_LEFT, EMOJI]) await world.ask(gateway, SUBMIT, { input: { ...work, name } });
  const reserved = { ...work, name: 'promised', startAt: moment(NOW + 6 * HOUR), probability: 0.8 };
  const { data } = await world.ask(workflow, RESERVE, { input: reserved });
  jobs.promised = data.reserve.reservation.job.id;
  jobs.atStale = (await world.ask(gateway, SUBMIT, { input: { ...work, name: 'far' } })).data.submitJob.job.id;
  await world.stores.database.db.execution.update({
    where: { id: fromGlobalId(jobs.atStale)?.id ?? '' },
    data: {
      state: 'QUEUED',
      siteId: fromGlobalId(world.sites.stale)?.id ?? '',
      nativeSubmittedAt: new Date((NOW - 600) * 1000),
    },
  });
});
afterAll(async () => {
  await shown.close();
});

async function codeFor(token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${base}/console/code`, { method: 'POST', headers, body: '{}' });
  return ((await response.json()) as { code: string }).code;
}

test('a link signs in once, and leaves no code in the address', async () => {
  const link = `${base}/sign-in#code=${await codeFor(world.tokens.workflow)}`;
  const first = await visit(browser);
  await first.page.goto(link);
  await first.page
    .getByRole('link', { name: 'promised' })
    .or(first.page.getByRole('link', { name: 'far' }))
    .first()
    .waitFor();
  expect(first.page.url()).toBe(`${base}/jobs`);
  expect(await first.page.getByText('workflow of physics').count()).toBe(1);
  const second = await visit(browser);
  await second.page.goto(link);
  await second.page.getByRole('alert').getByText('was used already').waitFor();
  expect([...first.complaints, ...second.complaints]).toEqual([]);
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test('every view keeps to the rules of access, and complains of nothing', {
    timeout: 4 * PATIENCE_MILLISECONDS,
  }, async () => {
    const { page, complaints } = await visit(browser, { colorScheme });
    await page.goto(base);
    await page.getByLabel('Token').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await signInByToken(page, base, world.tokens.workflow);
    await page.getByRole('link', { name: 'far' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.goto(`${base}/jobs/${jobs.promised}`);
    await page.getByRole('heading', { name: 'Why there' }).waitFor();
    await page.getByRole('heading', { name: 'When it starts' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Table' }).first().click();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel …' }).click();
    await page.getByRole('alertdialog').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    for (const [name, row] of [
      ['sites', 'slow'],
      ['reservations', 'promised'],
    ]) {
      await page.goto(`${base}/${name}`);
      await page
        .getByRole('cell', { name: row as string })
        .first()
        .waitFor();
      expect(await violationsOf(page)).toEqual([]);
    }
    await page.goto(`${base}/reserve`);
    await page.getByRole('heading', { name: 'The price of certainty' }).waitFor();
    await page.getByRole('heading', { name: 'Finish against size' }).waitFor();
    await page.getByRole('heading', { name: 'How surely' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

test('text with markup, from right to left, and of emoji stays text', async () => {
  const { page, complaints } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  for (const name of [MARKUP, RIGHT_TO_LEFT, EMOJI]) {
    const shown = page.locator('td bdi', { hasText: name }).first();
    await shown.waitFor();
    expect(await shown.textContent()).toBe(name);
  }
  expect(await page.locator('td img, td script').count()).toBe(0);
  await page.getByRole('link', { name: MARKUP }).click();
  await page.locator('h1 bdi', { hasText: MARKUP }).waitFor();
  expect(complaints).toEqual([]);
});

test('the keyboard alone reaches everything, filters by address, and makes a promise', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  await page.getByRole('link', { name: 'far' }).waitFor();
  await page.goto(`${base}/jobs?text=far`);
  await page.getByRole('link', { name: 'far' }).waitFor();
  expect(await page.getByRole('link', { name: EMOJI }).count()).toBe(0);
  const reached = await reachByTab(page);
  expect(reached).toEqual(
    expect.arrayContaining([
      'To the content',
      'Jobs',
      'Reserve',
      'queued',
      'CSV',
      'Jobs, rows',
      'State',
      'far',
      'Sign out',
    ]),
  );
  await page.goto(`${base}/reserve`);
  await page.getByRole('button', { name: 'Promise it' }).waitFor();
  await page.getByLabel('Name').focus();
  for (let count = 0; count < 30; count++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement.textContent')) === 'Promise it') break;
  }
  await page.keyboard.press('Enter');
  const made = page.locator('[data-made]');
  await made.waitFor();
  expect(await made.textContent()).toMatch(/Promised with 9\d\.\d %/);
});

test('an offer can be taken only while it is for what the form says', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  await page.goto(`${base}/reserve`);
  const promise = page.getByRole('button', { name: 'Promise it' });
  await page.locator('button:not([disabled])', { hasText: 'Promise it' }).waitFor();
  let answer: () => void = () => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/graphql', async (route) => {
    await isAnswered;
    await route.continue();
  });
  const isAsked = page.waitForRequest((request) =>
    /reservationOffer[\s\S]*"processors":2,/.test(request.postData() ?? ''),
  );
  await page.getByLabel('Processors').fill('2');
  await isAsked;
  await page.waitForTimeout(300);
  expect(await promise.isDisabled()).toBe(true);
  expect(await page.locator('.answers').getAttribute('aria-busy')).toBe('true');
  answer();
  await page.locator('.answers[aria-busy="false"] button:not([disabled])', { hasText: 'Promise it' }).click();
  await page.locator('[data-made]').waitFor();
  expect(await page.locator('[data-made]').textContent()).toContain('GMT+2');
  const id = (await page.locator('[data-made]').getAttribute('data-made')) ?? '';
  const { data } = await world.ask(
    world.tokens.workflow,
    'query ($id: ID!) { node(id: $id) { ... on Job { processors } } }',
    { id },
  );
  expect(data.node).toEqual({ processors: 2 });
  await page.getByLabel('To be running at').fill('2026-10-25T02:30');
  await page.getByLabel('Clocks show that twice').selectOption({ label: '25 Oct, 02:30 GMT+1' });
});

test('a change is shown without being asked for', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  await page.getByRole('link', { name: 'far' }).waitFor();
  // Heard or read: by now the way for changes is open.
  await page.waitForTimeout(500);
  await world.ask(world.tokens.gateway, SUBMIT, { input: { ...work, name: 'just now' } });
  await page.getByRole('link', { name: 'just now' }).waitFor();
});

test('a site that was not seen for long, and a job that is not there, are shown as that', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  await page.goto(`${base}/jobs/${jobs.atStale}`);
  await page.getByText('may be out of date').waitFor();
  await page.goto(`${base}/jobs/nothing`);
  await page.getByText('There is no such job').waitFor();
});

test('a span of the start that ends later than history supports is marked so, in its table too', async () => {
  const { page } = await visit(browser);
  const id = fromGlobalId(jobs.promised)?.id ?? '';
  const bounds = await boundsOf(id);
  // Within what is known, but so late that 95 % of what is left is beyond it.
  const nativeSubmittedAt = new Date((NOW - (bounds[80] ?? 0)) * 1000);
  await world.stores.database.db.execution.update({ where: { id }, data: { state: 'QUEUED', nativeSubmittedAt } });
  await signInByToken(page, base, world.tokens.workflow);
  await page.goto(`${base}/jobs/${jobs.promised}`);
  const fan = page.getByRole('figure', { name: 'When it starts' });
  await fan.locator('.open-end').first().waitFor({ state: 'attached' });
  expect(await fan.getByText('later than history supports').count()).toBe(1);
  await fan.getByRole('button', { name: 'Table' }).click();
  const last = fan.getByRole('row', { name: /^95 %/ });
  expect(await last.getByRole('cell').last().textContent()).toBe('later than history supports');
});

/** Percentiles of the wait that a job was planned with, from the first on. */
async function boundsOf(executionId: string): Promise<number[]> {
  const made = { plan: { executionId }, isOfChosen: true, quantity: 'wait' };
  const { db } = world.stores.database;
  return (await db.forecast.findFirstOrThrow({ where: made, orderBy: { madeAt: 'desc' } })).percentiles;
}

test('a clock that is three minutes off is told, and ages do not follow it', async () => {
  const { page, context } = await visit(browser);
  await context.addInitScript('{ const now = Date.now.bind(Date); Date.now = () => now() + 180000; }');
  await signInByToken(page, base, world.tokens.workflow);
  const banner = page.locator('[data-banner="skew"]');
  await banner.waitFor();
  expect(await banner.textContent()).toMatch(/(2 min 5\d s|3 min( 0\d s)?) ahead of the service's/);
  expect(await page.locator('.title-line .age').textContent()).toMatch(/now|^as of \d+ s ago/);
  expect(await page.getByText('times as fast').count()).toBe(0);
});

test('a session that is over is told where one is, and taken up there', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  await page.getByRole('link', { name: 'far' }).waitFor();
  await world.stores.database.db.$executeRaw`UPDATE "ConsolePass" SET "expiresAt" = now() - interval '1 second'`;
  await page.getByRole('heading', { name: 'Your session is over' }).waitFor();
  expect(await page.getByRole('link', { name: 'far' }).count()).toBe(1);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel('Token').fill(world.tokens.workflow);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Your session is over' }).waitFor({ state: 'detached' });
});

test('a service that is gone is told, and what was known stays', async () => {
  const { page, complaints } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  await page.getByRole('link', { name: 'far' }).waitFor();
  await world.api.close();
  await page.locator('[data-banner="away"]').waitFor();
  expect(await page.getByRole('link', { name: 'far' }).count()).toBe(1);
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
