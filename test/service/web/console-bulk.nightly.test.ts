import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiWorld, work } from '../graphql/api-world.ts';
import { SUBMIT } from '../graphql/documents.ts';
import { needsChromium, PATIENCE_MILLISECONDS, reachByTab, signInByToken, violationsOf, visit } from './browser.ts';
import { type ConsoleWorld, createConsoleWorld } from './console-world.ts';

const LABEL = 'sweep=α';

let shown: ConsoleWorld;
let world: ApiWorld;
let base: string;
let browser: Browser | null;

async function submit(token: string, name: string, labels: readonly { name: string; value: string }[] = []) {
  const { data } = await world.ask(token, SUBMIT, { input: { ...work, name, labels } });
  expect(data.submitJob.userErrors).toEqual([]);
}

needsChromium();
beforeAll(async () => {
  shown = await createConsoleWorld();
  ({ world, base, browser } = shown);
  const swept = [{ name: 'sweep', value: 'α' }];
  for (const name of ['first', 'second', 'third']) await submit(world.tokens.gateway, name, swept);
  await submit(world.tokens.gateway, 'other', [{ name: 'sweep', value: 'β' }]);
  await submit(world.tokens.stranger, 'not yours', swept);
});
afterAll(async () => {
  await shown.close();
});

/** The wishes to cancel that were written down: how many jobs each is about. */
async function wishes(): Promise<number[]> {
  const rows = await world.stores.database.db.bulkCancel.findMany({ orderBy: { id: 'asc' } });
  return rows.map(({ ids }) => ids.length);
}

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test('the question how many are to be cancelled, and the operator, keep to the rules of access', {
    timeout: 3 * PATIENCE_MILLISECONDS,
  }, async () => {
    const { page, complaints } = await visit(browser, { colorScheme });
    await signInByToken(page, base, world.tokens.admin);
    await page.goto(`${base}/jobs?label=${encodeURIComponent(LABEL)}`);
    await page.getByRole('link', { name: 'second' }).waitFor();
    expect(await page.getByRole('link', { name: 'other' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel these …' }).click();
    await page.getByLabel('Type how many they are').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Operator' }).click();
    for (const name of ['What waits for workers', 'Faults', 'Charges by month', 'Tenants and tokens']) {
      await page.getByRole('heading', { level: 2, name }).waitFor();
    }
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

test('jobs are found by a label that is typed or clicked, and kept as a view', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.gateway);
  await page.getByRole('link', { name: LABEL }).first().click();
  await page.getByRole('link', { name: 'other' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('label')).toBe(LABEL);
  await page.getByLabel('Keep this view as').fill('the sweep');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  const label = page.getByLabel('Label', { exact: true });
  await label.fill('no label');
  await label.press('Enter');
  expect(await label.getAttribute('aria-invalid')).toBe('true');
  await label.fill('sweep=β');
  await label.press('Enter');
  await page.getByRole('link', { name: 'other' }).waitFor();
  expect(await page.getByRole('link', { name: 'first' }).count()).toBe(0);
  await page.getByRole('button', { name: 'the sweep', exact: true }).click();
  await page.getByRole('link', { name: 'first' }).waitFor();
  expect(await label.inputValue()).toBe(LABEL);
});

test('many jobs are cancelled by the keyboard once their count is typed, and no other ones', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.gateway);
  await page.getByRole('link', { name: 'first' }).waitFor();
  // Without a filter it would be all of them, and with a text those that the page happens to hold.
  expect(await page.getByRole('button', { name: 'Cancel these …' }).count()).toBe(0);
  await page.goto(`${base}/jobs?text=FIRS`);
  await page.getByRole('link', { name: 'first' }).waitFor();
  expect(await page.getByRole('link', { name: 'second' }).count()).toBe(0);
  await page.getByText('filter by state, site or label alone').waitFor();
  await page.goto(`${base}/jobs?label=${encodeURIComponent(LABEL)}`);
  const ask = page.getByRole('button', { name: 'Cancel these …' });
  await ask.press('Enter');
  const typed = page.getByLabel('Type how many they are');
  await typed.fill('4');
  const act = page.getByRole('button', { name: 'Cancel 3 jobs' });
  expect(await act.isDisabled()).toBe(true);
  // One more comes to fit before it is confirmed: it was not counted, so nothing is done.
  await typed.fill('3');
  await submit(world.tokens.gateway, 'fourth', [{ name: 'sweep', value: 'α' }]);
  await act.press('Enter');
  await page.getByText('4 open jobs are meant, not 3').waitFor();
  expect(await wishes()).toEqual([]);
  await typed.fill('4');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('4 jobs are being cancelled').waitFor();
  expect(await wishes()).toEqual([4]);
  const [wish] = await world.stores.database.db.bulkCancel.findMany();
  const named = await world.stores.database.db.execution.findMany({ where: { id: { in: wish?.ids ?? [] } } });
  expect(named.map(({ name }) => name).sort()).toEqual(['first', 'fourth', 'second', 'third']);
});

test('an admin sees how the deployment runs, as a table and by the keyboard', async () => {
  const { page } = await visit(browser);
  await signInByToken(page, base, world.tokens.admin);
  await page.goto(`${base}/operator`);
  await page.getByRole('heading', { name: 'Charges by month' }).waitFor();
  expect(await reachByTab(page)).toEqual(
    expect.arrayContaining(['Operator', 'Turns by kind', 'stale', 'Tokens, rows']),
  );
  const figure = page.getByRole('figure', { name: 'Charges by month' });
  await figure.getByRole('button', { name: 'Table' }).press('Enter');
  await figure.getByRole('columnheader', { name: 'processor-seconds' }).waitFor();
  await page.getByRole('cell', { name: 'biology' }).first().waitFor();
  expect(await page.getByText('it was not seen for long').count()).toBe(1);
});

test('for a stranger there is no such page, and no way to it', async () => {
  const { page, complaints } = await visit(browser);
  await signInByToken(page, base, world.tokens.stranger);
  await page.getByRole('link', { name: 'not yours' }).waitFor();
  expect(await page.getByRole('link', { name: 'Operator' }).count()).toBe(0);
  await page.goto(`${base}/operator`);
  await page.getByText('There is no such page').waitFor();
  expect(await page.locator('body').textContent()).not.toMatch(/physics|admin/);
  expect(complaints).toEqual([]);
});
