import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { unreadSite } from '../../../src/forecast/followed-site.ts';
import { Timeline } from '../../../src/predict/past/timeline.ts';
import { simulatedRecords } from '../../simulated-records.ts';

test('a site that is to learn for itself again while it does so lives through its past once', async () => {
  const records = simulatedRecords(60, 64);
  const timeline = new Timeline(64);
  for (const record of records) timeline.observe(record);
  const { site } = unreadSite({ wait: ['wait/gridcast'] }, {});
  site.observe(timeline.snapshotAt(records.at(-1)?.submitAt ?? 0));
  const living = site.liveThroughPast(records, () => setImmediate());
  site.learnAgain();
  await living;
  expect(site.isToLiveThroughPast).toBe(false);
  site.learnAgain();
  expect(site.isToLiveThroughPast).toBe(true);
});
