import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { beforeEach } from 'vitest';

const CHROMIUM = '/usr/bin/chromium';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** How long anything may take that is waited for: the machine may be busy. */
export const PATIENCE_MILLISECONDS = 60_000;

/** Skips the tests around its call where there is no browser, and says so. */
export function needsChromium(): void {
  if (!existsSync(CHROMIUM)) beforeEach(({ skip }) => skip(`${CHROMIUM} is not installed; apt-get install chromium`));
}

/** Starts the browser; null where there is none. */
export async function launchChromium(): Promise<Browser | null> {
  if (!existsSync(CHROMIUM)) return null;
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

/** A page of somebody new, and what its console and its scripts complained of. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
}

/** Opens a page as a browser of its own. */
export async function visit(
  browser: Browser | null,
  settings: { readonly colorScheme?: 'light' | 'dark'; readonly width?: number; readonly height?: number } = {},
): Promise<Visitor> {
  if (!browser) throw new Error('there is no browser');
  const { colorScheme = 'light', width = 1280, height = 800 } = settings;
  const context = await browser.newContext({
    ...{ colorScheme, viewport: { width, height }, timezoneId: 'Europe/Amsterdam', locale: 'en-GB' },
  });
  context.setDefaultTimeout(PATIENCE_MILLISECONDS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // That nobody is signed in, or the service is away, is answered by HTTP, which the browser notes.
    const isExpected = /Failed to load resource|WebSocket connection/.test(message.text());
    if (message.type() === 'error' && !isExpected) complaints.push(message.text().slice(0, 300));
  });
  page.on('pageerror', ({ message }) => complaints.push(message.slice(0, 300)));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { context, page, complaints };
}

/** Signs in by the form of tokens. */
export async function signInByToken(page: Page, base: string, token: string): Promise<void> {
  await page.goto(base);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/**
 * What axe finds wrong with a page; nothing where all is well. It remembers attributes from its beginning and measures
 * as it goes, so what is drawn meanwhile is looked at again.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const first = await lookOnce(page);
  if (first.length === 0) return first;
  await page.waitForTimeout(DRAWING_MILLISECONDS);
  return lookOnce(page);
}

const DRAWING_MILLISECONDS = 1000;

async function lookOnce(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] };
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 160)} ${failureSummary.slice(0, 200)}`),
  );
}

/** The names of what the Tab key reaches one after the other, until it comes around. */
export async function reachByTab(page: Page, most = 80): Promise<string[]> {
  const names: string[] = [];
  for (let count = 0; count < most; count++) {
    await page.keyboard.press('Tab');
    const name = (await page.evaluate(
      `(() => { const at = document.activeElement; if (!at || at === document.body) return '';
        return at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? ''; })()`,
    )) as string;
    if (name === '' && names.length > 3) break;
    names.push(name.trim());
  }
  return names;
}
