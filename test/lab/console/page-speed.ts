import type { Browser, Page } from 'playwright-core';
import { type FrameCosts, frameCostsOf } from './frame-costs.ts';

const PATIENCE_MILLISECONDS = 120_000;
const SCROLL_SECONDS = 5;

/** How a table scrolled. */
export interface Scrolling {
  /** Rows that there are. */
  readonly rows: number;
  /** Rows that are drawn while it is scrolled. */
  readonly drawn: number;
  readonly framesPerSecond: number;
  /** The longest that one frame took. */
  readonly longestMilliseconds: number;
  /** What a frame cost. Written down in a second run, for writing down costs, too. */
  readonly costs: FrameCosts;
}

/** Opens a page that is signed in. */
export async function openSignedIn(browser: Browser, base: string, token: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(PATIENCE_MILLISECONDS);
  await page.goto(base);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  return page;
}

/**
 * Milliseconds from the address to the first paint, and to the first row of jobs, in a browser that is signed in and
 * has nothing of the page yet.
 */
export async function timeFirstPaint(signedIn: Page, base: string): Promise<{ paint: number; firstRow: number }> {
  const browser = signedIn.context().browser();
  if (!browser) throw new Error('the page has no browser');
  const context = await browser.newContext({ storageState: await signedIn.context().storageState() });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MILLISECONDS);
    await page.goto(`${base}/jobs`);
    await page.locator('table.data tbody a').first().waitFor();
    return (await page.evaluate(`({
      paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      firstRow: performance.now(),
    })`)) as { paint: number; firstRow: number };
  } finally {
    await context.close();
  }
}

/** Milliseconds from an act to its text being on the page. */
export async function timeUntilShown(page: Page, text: string, act: () => Promise<unknown>): Promise<number> {
  const shown = page.evaluate(`new Promise((done) => {
    const look = () => document.body.textContent.includes(${JSON.stringify(text)})
      ? requestAnimationFrame(() => done(Date.now())) : requestAnimationFrame(look);
    look();
  })`) as Promise<number>;
  await act();
  const committed = Date.now();
  return Math.max(0, (await shown) - committed);
}

/** What is seen of a table while it scrolls. */
type Scrolled = Omit<Scrolling, 'rows' | 'costs'> & { readonly frames: number };

/** Scrolls a table up and down and counts the frames, once to see how fast and once to see what they cost. */
export async function timeScrolling(browser: Browser, page: Page, rows: number): Promise<Scrolling> {
  await untilThere(page, rows);
  const { frames: _frames, ...measured } = await scroll(page);
  const costs = await frameCostsOf(browser, page, () => scroll(page));
  return { rows, ...measured, costs };
}

/** Waits until a table has so many rows. The page's own policy forbids to watch for an expression. */
async function untilThere(page: Page, rows: number): Promise<void> {
  await page.evaluate(`new Promise((done, fail) => {
    const giveUpAt = performance.now() + ${PATIENCE_MILLISECONDS};
    const look = () => {
      const count = Number(document.querySelector('.data')?.getAttribute('aria-rowcount') ?? 0);
      if (count >= ${rows}) done();
      else if (performance.now() > giveUpAt) fail(new Error('only ' + count + ' rows came'));
      else setTimeout(look, 100);
    };
    look();
  })`);
}

/** Scrolls for some seconds, three rows a frame. */
async function scroll(page: Page): Promise<Scrolled> {
  return (await page.evaluate(`new Promise((done) => {
    const frame = document.querySelector('.table-scroll');
    const began = performance.now();
    let [before, frames, longest, drawn, step] = [began, 0, 0, 0, 90];
    const scroll = (now) => {
      frames++;
      longest = Math.max(longest, now - before);
      before = now;
      if (frames % 10 === 0) drawn = Math.max(drawn, frame.querySelectorAll('tbody tr').length);
      const end = frame.scrollHeight - frame.clientHeight;
      if (frame.scrollTop + step > end || frame.scrollTop + step < 0) step = -step;
      frame.scrollTop += step;
      if (now - began < ${SCROLL_SECONDS * 1000}) requestAnimationFrame(scroll);
      else done({ frames, framesPerSecond: (frames * 1000) / (now - began), longestMilliseconds: longest, drawn });
    };
    requestAnimationFrame((now) => { before = now; scroll(now); });
  })`)) as Scrolled;
}
