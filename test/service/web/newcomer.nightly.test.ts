import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readProcessList } from '../../../src/main/process-list.ts';
import { stopLeftStack } from '../../../src/main/stack.ts';
import { type RunningDemo, startDemo } from '../demo/run-demo.ts';
import { launchChromium, needsChromium, signInByToken, violationsOf, visit } from './browser.ts';

/** Simulated seconds for each real one: an hour and a half is 45 s. */
const SCALE = 120;
const AHEAD_MILLISECONDS = 1.5 * 3_600_000;
/** Of several, for a promise of 90 % may be missed. */
const PROMISES = ['my first', 'my second', 'my third'];
const MINUTE = 60_000;

let folder: string;
let demo: RunningDemo;
let browser: Browser | null;

needsChromium();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-newcomer-'));
  chmodSync(folder, 0o755);
  browser = await launchChromium();
  demo = startDemo(join(folder, 'demo'), '--port', '0', '--scale', String(SCALE));
  // The sites are busy, and known, once it tells how long one waits there.
  await demo.until('A job:');
}, 4 * MINUTE);
afterAll(async () => {
  await browser?.close();
  demo?.process.kill('SIGINT');
  await demo?.ended;
  await stopLeftStack(join(folder, 'demo'), () => undefined);
  rmSync(folder, { recursive: true, force: true });
}, 2 * MINUTE);

/** The link that signs in, as the demo printed it. */
function linkOf(told: string): string {
  const link = /http:\/\/127\.0\.0\.1:\d+\/sign-in#code=\S+/.exec(told)?.[0];
  if (!link) throw new Error(`no link was printed:\n${told}`);
  return link;
}

/** The service's clock as the page shows ages by, which runs ahead of the wall's. */
async function serviceNow(page: Page): Promise<number> {
  const asked = `fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ serverTime }' }) }).then((answer) => answer.json())`;
  const { data } = (await page.evaluate(asked)) as { data: { serverTime: string } };
  return Date.parse(data.serverTime);
}

/** As the field of a local moment takes it, in the zone of the browser. */
function localField(page: Page, milliseconds: number): Promise<string> {
  return page.evaluate(`(() => { const at = new Date(${milliseconds});
    return new Date(at.getTime() - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16); })()`) as Promise<string>;
}

test('a newcomer signs in by the link, promises jobs and sees a promise kept; then, as an admin, drains a site', {
  timeout: 6 * MINUTE,
}, async () => {
  const { page, complaints } = await visit(browser);
  await page.goto(linkOf(demo.told()));
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  await page.getByRole('link', { name: 'Reserve', exact: true }).click();
  for (const name of PROMISES) {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Processors', { exact: true }).fill('2');
    await page.getByLabel('Walltime', { exact: true }).fill('10m');
    await page
      .getByLabel('To be running at')
      .fill(await localField(page, (await serviceNow(page)) + AHEAD_MILLISECONDS));
    const promiseIt = page.getByRole('button', { name: 'Promise it' });
    await promiseIt.click();
    await page.locator('[data-made]').getByText('Promised with').waitFor();
    await page.goto(`${new URL(page.url()).origin}/reserve`);
  }
  await page.getByRole('link', { name: 'Reservations', exact: true }).click();
  const barOf = (name: string) => page.locator('[data-bar]', { has: page.locator('text', { hasText: name }) });
  for (const name of PROMISES) await barOf(name).waitFor({ state: 'attached' });
  // It is seen as it comes: nobody reloads.
  const kept = PROMISES.map((name) => barOf(name).and(page.locator('[data-state="KEPT"]')));
  const [first = page.locator('none'), ...others] = kept;
  await others
    .reduce((any, one) => any.or(one), first)
    .first()
    .waitFor({ state: 'attached', timeout: 4 * MINUTE });
  expect(await page.locator('tr', { hasText: 'my' }).locator('[data-state="KEPT"]').count()).toBeGreaterThan(0);
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('link', { name: 'Sites', exact: true }).click();
  await page.getByRole('link', { name: 'alder' }).click();
  await page.getByRole('heading', { name: 'Jobs in the queue and running' }).waitFor();
  await page.getByRole('button', { name: 'Drain …' }).click();
  await page.getByRole('button', { name: 'Drain the site' }).click();
  await page.locator('h1 ~ [data-state="DRAINING"]').waitFor();
  await page.goto(`${new URL(page.url()).origin}/operator`);
  await page.getByRole('cell', { name: /it is draining/ }).waitFor();
  expect(complaints).toEqual([]);
});

test('a service that stands still is told within a ping, and forgotten when it goes on', {
  timeout: 3 * MINUTE,
}, async () => {
  const { page } = await visit(browser);
  const [token = ''] = /gct_\S+/.exec(demo.told()) ?? [];
  await signInByToken(page, new URL(linkOf(demo.told())).origin, token);
  await page.getByRole('row').nth(1).waitFor();
  const api = readProcessList(join(folder, 'demo', 'processes.json')).find(({ name }) => name === 'api');
  if (!api) throw new Error('the demo has no API');
  process.kill(api.pid, 'SIGSTOP');
  try {
    await page.locator('[data-banner="away"]').waitFor({ timeout: MINUTE / 2 });
    expect(await page.getByRole('row').count()).toBeGreaterThan(1);
  } finally {
    process.kill(api.pid, 'SIGCONT');
  }
  await page.locator('[data-banner="away"]').waitFor({ state: 'detached', timeout: MINUTE });
});
