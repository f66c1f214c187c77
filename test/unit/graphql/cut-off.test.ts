import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { CutOff } from '../../../src/graphql/cut-off.ts';

const warnings: Error[] = [];
const keep = (warning: Error) => warnings.push(warning);
afterEach(() => {
  process.off('warning', keep);
});

test('an operation may ask for many forecasts at once without a warning in the log', async () => {
  process.on('warning', keep);
  const { signal } = new CutOff();
  for (let asked = 0; asked < 500; asked++) signal.addEventListener('abort', () => undefined, { once: true });
  await setTimeout(10);
  expect(warnings).toEqual([]);
});
