import { expect, test } from 'vitest';
import { expectGroups } from './co-allocated-log.ts';

test('over a longer log every kind of group has its figures, and either-ors cancel their losers', {
  timeout: 300_000,
}, async () => {
  const rows = await expectGroups(3000, 100);
  for (const row of rows) expect(row.chargeRatio as number, row.name).toBeGreaterThanOrEqual(1);
  const eitherOr = rows.find(({ name }) => name === 'wait/gridcast/any of two at 0.9');
  expect(eitherOr?.promisedJoint as number).toBeGreaterThanOrEqual(0.99);
  expect(eitherOr?.cancelledLosers as number).toBeGreaterThan(0);
});
