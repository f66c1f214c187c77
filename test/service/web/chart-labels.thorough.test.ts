import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { needsChromium, signInByToken, visit } from './browser.ts';
import { addLooks, type ConsoleWorld, createConsoleWorld } from './console-world.ts';

let shown: ConsoleWorld;

needsChromium();
beforeAll(async () => {
  shown = await createConsoleWorld();
});
afterAll(() => shown.close());

/** Has a page remember what is written on each of its canvases. */
const REMEMBER = `
  window.written = new Map();
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
    const texts = window.written.get(this.canvas) ?? new Set();
    window.written.set(this.canvas, texts.add(JSON.stringify([text, ...at])));
    return write.call(this, text, ...at);
  };`;
const WRITTEN = 'Array.from(window.written.values(), (texts) => Array.from(texts, (text) => JSON.parse(text)))';

/** What is written beside the axis of values: all of it ends at one distance from the left. */
function besideAxis(texts: readonly [string, number, number][]): string[] {
  const leftmost = Math.min(...texts.map(([, x]) => x));
  return texts.filter(([, x]) => x === leftmost).map(([text]) => text);
}

test('no two values beside an axis are told by the same text, however few are between', async () => {
  await addLooks(shown.world);
  await shown.world.stores.database.db.observation.updateMany({
    where: { siteId: fromGlobalId(shown.world.sites.slow)?.id ?? '' },
    data: { processors: 64, freeProcessors: 63, waitingJobs: 5, waitingProcessors: 3, runningJobs: 3 },
  });
  const { page, context } = await visit(shown.browser);
  await page.addInitScript(REMEMBER);
  await signInByToken(page, shown.base, shown.world.tokens.admin);
  await page.goto(`${shown.base}/sites/${shown.world.sites.slow}`);
  await page.getByText('Lately 5 waited and 3 ran.').waitFor({ state: 'attached' });
  await page.waitForTimeout(1000);
  const canvases = (await page.evaluate(WRITTEN)) as [string, number, number][][];
  const [jobs, ...others] = canvases.map(besideAxis);
  expect(jobs).toEqual(['3', '4', '5']);
  for (const texts of others) expect(texts).toEqual([...new Set(texts)]);
  await context.close();
});
