import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutputsWorld, type OutputsWorld } from '../graphql/outputs-world.ts';
import {
  launchChromium,
  needsChromium,
  PATIENCE_MILLISECONDS,
  signInByToken,
  type Visitor,
  violationsOf,
  visit,
} from './browser.ts';

const MARKUP = '</pre><img src=x onerror="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)">see</a>';
const HOSTILE = [MARKUP, '{{7*7}}', '\u202eevil.exe', '\u{1f525}'.repeat(64), '\u001b[31mred\u001b[0m', '&lt;b&gt;'];

let world: OutputsWorld;
let base: string;
let browser: Browser | null;

needsChromium();
beforeAll(async () => {
  world = await createOutputsWorld(join(import.meta.dirname, '../../../dist/web'));
  base = world.api.api.url.replace(/\/graphql$/, '');
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await world.close();
});

/** A job that runs, on its own page, by whom its output is looked at. */
async function openJob(): Promise<Visitor & { readonly id: string }> {
  const id = await world.runningJob(world.api.tokens.gateway);
  const { db } = world.api.stores.database;
  await db.execution.updateMany({
    where: { name: 'writes' },
    data: { startedAt: new Date(world.api.clock.now() * 1000) },
  });
  const visitor = await visit(browser);
  await signInByToken(visitor.page, base, world.api.tokens.gateway);
  await visitor.page.goto(`${base}/jobs/${encodeURIComponent(id)}`);
  return { ...visitor, id };
}

const shown = (page: Page) => page.locator('pre.output');

describe('what a job writes', () => {
  test.each(['STDOUT', 'STDERR'] as const)('to %s stays text, whatever it looks like, and is shown as it comes', {
    timeout: 3 * PATIENCE_MILLISECONDS,
  }, async (stream) => {
    const { page, complaints, id } = await openJob();
    const file = stream === 'STDOUT' ? 'stdout' : 'stderr';
    world.write(id, file, `${HOSTILE.join('\n')}\n`);
    await page.getByRole('button', { name: stream === 'STDOUT' ? 'Standard output' : 'Standard error' }).click();
    await shown(page).getByText('evil.exe').waitFor();
    expect(await shown(page).textContent()).toBe(`${HOSTILE.join('\n')}\n`);
    world.write(id, file, MARKUP);
    await expect
      .poll(() => shown(page).textContent(), { timeout: PATIENCE_MILLISECONDS })
      .toBe(`${HOSTILE.join('\n')}\n${MARKUP}`);
    expect(await page.locator('main img, main script, main iframe, main a[href^="javascript:"]').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('is shown from its end, and a character that is cut in two or no text at all breaks nothing', {
    timeout: 3 * PATIENCE_MILLISECONDS,
  }, async () => {
    const { page, complaints, id } = await openJob();
    world.write(id, 'stdout', `${'é'.repeat(20_000)}the end`);
    await page.getByRole('button', { name: 'Standard output' }).click();
    await shown(page).getByText('the end').waitFor();
    expect(await page.getByText(/The last 16,384 of 40,007 bytes/).count()).toBe(1);
    world.write(id, 'stdout', Uint8Array.of(0, 255, 254, 10, 79, 75));
    await expect
      .poll(() => shown(page).textContent(), { timeout: PATIENCE_MILLISECONDS })
      .toMatch(/the end\0\uFFFD\uFFFD\nOK$/);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('is nothing where it has written nothing, which is said', { timeout: 2 * PATIENCE_MILLISECONDS }, async () => {
    const { page, id } = await openJob();
    await page.getByRole('button', { name: 'Standard error' }).click();
    await page.getByText('It has written nothing here yet.').waitFor();
    await world.end(id);
    await page.getByText('It has written nothing here').waitFor();
    await page.context().close();
  });
});
