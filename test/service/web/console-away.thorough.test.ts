import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorld, work } from '../graphql/api-world.ts';
import { SUBMIT } from '../graphql/documents.ts';
import { needsChromium, signInByToken, visit } from './browser.ts';
import { type ConsoleWorld, createConsoleWorld } from './console-world.ts';

let shown: ConsoleWorld;
let world: ApiWorld;
let base: string;
let browser: Browser | null;

needsChromium();
beforeAll(async () => {
  shown = await createConsoleWorld();
  ({ world, base, browser } = shown);
});
afterAll(() => shown.close());

const MINUTE_MILLISECONDS = 60_000;
const SOON = { timeout: 15_000 };

/** Stands between a page and the service. */
async function lineOf(page: Page) {
  const sockets = new Set<WebSocketRoute>();
  let isCut = false;
  await page.routeWebSocket('**/graphql', (socket) => {
    if (isCut) return void socket.close();
    socket.connectToServer();
    sockets.add(socket);
  });
  await page.route(/graphql$|console\/sign/, (route) => (isCut ? route.abort() : route.continue()));
  return {
    async cut() {
      isCut = true;
      for (const socket of sockets) await socket.close();
      sockets.clear();
      await page.locator('[data-banner="away"]').waitFor();
    },
    async mend() {
      isCut = false;
      await page.locator('[data-banner="away"]').waitFor({ state: 'detached' });
    },
  };
}

test('while the service is away everything stays where it is, and nobody passes for signed out', async () => {
  const { page, complaints } = await visit(browser);
  const line = await lineOf(page);
  await signInByToken(page, base, world.tokens.admin);
  await page.clock.install();
  await page.goto(`${base}/sites`);
  await page.getByRole('link', { name: 'slow' }).waitFor();
  const bar = await page.getByRole('navigation').allTextContents();
  await line.cut();
  // By then it has been read anew, in vain.
  await page.clock.runFor(2 * MINUTE_MILLISECONDS);
  await page.getByRole('alert').getByText('does not answer').waitFor();
  expect(await page.getByRole('link', { name: 'slow' }).count()).toBe(1);
  expect(await page.getByRole('navigation').allTextContents()).toEqual(bar);
  await page.getByRole('button', { name: 'Sign out' }).click(SOON);
  await page.getByText('You are still signed in').waitFor(SOON);
  await line.mend();
  await page
    .getByRole('alert')
    .getByText('does not answer')
    .first()
    .waitFor({ state: 'detached', ...SOON });
  await page.getByRole('button', { name: 'Sign out' }).click(SOON);
  await page.getByLabel('Token').waitFor(SOON);
  expect(complaints).toEqual([]);
});

test('a session that is over leaves what it showed', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  await page.clock.install();
  await page.goto(`${base}/sites`);
  await page.getByRole('link', { name: 'slow' }).waitFor();
  await page.context().clearCookies();
  await page.clock.runFor(2 * MINUTE_MILLISECONDS);
  await page.getByRole('heading', { name: 'Your session is over' }).waitFor();
  await page.getByRole('link', { name: 'slow' }).waitFor(SOON);
  await page.getByRole('link', { name: 'Reserve' }).waitFor(SOON);
});

async function promised(): Promise<number> {
  return world.stores.database.db.reservation.count();
}

test('a promise whose answer was lost is made once, though the view was left meanwhile', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  await page.getByRole('link', { name: 'Reserve', exact: true }).click();
  const before = await promised();
  const button = page.locator('.answers[aria-busy="false"] button:not([disabled])', { hasText: 'Promise it' });
  await page.route('**/graphql', async (route) => {
    if (!/mutation Reserve/.test(route.request().postData() ?? '')) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await button.click();
  await page.getByRole('main').getByRole('alert').first().waitFor();
  expect(await promised()).toBe(before + 1);
  await page.unroute('**/graphql');
  await page.getByLabel('Processors').fill('none');
  await page.getByText('Not enough is said yet').waitFor();
  await page.getByLabel('Processors').fill('8');
  await button.click();
  await page.locator('[data-made]').waitFor();
  expect(await promised()).toBe(before + 1);
});

test('a double press promises once, however soon the first is answered', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  await page.getByRole('link', { name: 'Reserve', exact: true }).click();
  await page.locator('.answers[aria-busy="false"] button:not([disabled])', { hasText: 'Promise it' }).waitFor();
  let asked = 0;
  page.on('request', (request) => {
    if (/mutation Reserve/.test(request.postData() ?? '')) asked++;
  });
  // No time passes between the two.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + MINUTE_MILLISECONDS);
  const button = page.getByRole('button', { name: 'Promise it' });
  await button.click();
  await page.locator('[data-made]').waitFor();
  await button.dispatchEvent('click');
  await page.waitForTimeout(500);
  expect(asked).toBe(1);
});

test('what was refused for a moment is asked again by itself, as it says', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.workflow);
  let isRefused = true;
  await page.route('**/graphql', (route) =>
    isRefused && /query (Prices|Jobs)\b/.test(route.request().postData() ?? '')
      ? route.fulfill({ status: 500, body: 'a gateway says no' })
      : route.continue(),
  );
  await page.getByRole('link', { name: 'Reserve', exact: true }).click();
  await page.getByText('It is asked again by itself').first().waitFor();
  isRefused = false;
  await page.getByRole('heading', { name: 'The price of certainty' }).waitFor(SOON);
  isRefused = true;
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  await page.getByText('It is asked again by itself').first().waitFor();
  isRefused = false;
  await page.getByText('It is asked again by itself').waitFor({ state: 'detached', ...SOON });
});

test('who signs in at another tab sees here nothing of who was there before', async () => {
  await world.ask(world.tokens.workflow, SUBMIT, { input: { ...work, name: 'of physics' } });
  const { page, context } = await visit(browser);
  await page.routeWebSocket('**/graphql', (socket) => void socket.close());
  await signInByToken(page, base, world.tokens.workflow);
  await page.clock.install();
  await page.goto(`${base}/jobs?text=physics&states=["NONE"]`);
  await page.getByRole('link', { name: 'of physics' }).waitFor();
  const other = await context.newPage();
  await other.goto(base);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByLabel('Token').fill(world.tokens.stranger);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByText('of biology').waitFor();
  await page.clock.runFor(MINUTE_MILLISECONDS);
  await page.getByText('of biology').waitFor();
  await page.getByRole('link', { name: 'of physics' }).waitFor({ state: 'detached', ...SOON });
});
