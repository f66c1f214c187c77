import { afterAll, beforeAll, expect, test } from 'vitest';
import { needsChromium, PATIENCE_MILLISECONDS, signInByToken, violationsOf, visit } from './browser.ts';
import { type ConsoleWorld, createConsoleWorld } from './console-world.ts';

let shown: ConsoleWorld;

needsChromium();
beforeAll(async () => {
  shown = await createConsoleWorld({ isEmpty: true });
});
afterAll(() => shown.close());

/** Where each view is, its heading, what it says of a service without sites, and whether that is a refusal. */
const PLACES = [
  ['/jobs', 'Jobs', /gridcast submit/, false],
  ['/reserve', 'Reserve', /no site is registered; an admin registers one with registerSite/, true],
  ['/reservations', 'Reservations', /Reserve/, false],
  ['/sites', 'Sites', /gridcast sites register/, false],
  ['/operator', 'Operator', /Nothing is wrong with any site/, false],
] as const;

/** Which of them somebody is led to; nobody is led to where his role has nothing to do. */
const LED_TO = {
  admin: ['Jobs', 'Reserve', 'Reservations', 'Sites', 'Operator'],
  workflow: ['Jobs', 'Reserve', 'Reservations', 'Sites'],
  gateway: ['Jobs', 'Reservations', 'Sites'],
};

/** Far sooner than who somebody is would be asked anyway. */
const SOON_MILLISECONDS = 15_000;

test.each(['admin', 'workflow', 'gateway'] as const)('a service without sites and jobs says to %s what to do', {
  timeout: 3 * PATIENCE_MILLISECONDS,
}, async (role) => {
  const { page, complaints } = await visit(shown.browser);
  await signInByToken(page, shown.base, shown.world.tokens[role]);
  const views = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
  await expect
    .poll(() => views.allTextContents(), { timeout: SOON_MILLISECONDS })
    .toEqual([...LED_TO[role], 'GraphiQL']);
  for (const [path, heading, remedy, isRefusal] of PLACES) {
    if (!LED_TO[role].includes(heading)) continue;
    await page.goto(`${shown.base}${path}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.getByRole('main').getByText(remedy).first().waitFor();
    expect(await page.getByRole('alert').count(), path).toBe(isRefusal ? 1 : 0);
    expect(await violationsOf(page), path).toEqual([]);
  }
  expect(complaints).toEqual([]);
});
