import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LeadParts } from '../../../../src/predict/load/lead-blend.ts';
import { PendingForecasts } from '../../../../src/predict/load/pending-forecasts.ts';

const first = fc.integer({ min: -1000, max: 1_000_000 });
const shape = fc.record({
  lead: fc.integer({ min: 0, max: 40 }),
  length: fc.integer({ min: 1, max: 12 }),
  everySlots: fc.integer({ min: 1, max: 6 }),
});

test('an expectation is given in the last of its slots, with what it was made of, and in no other', () => {
  fc.assert(
    fc.property(first, shape, (from, { lead, length, everySlots }) => {
      const pending = new PendingForecasts(lead, length, everySlots);
      const made = new Map<number, { expected: number; parts: LeadParts }>();
      const firstMade = from - (((from % everySlots) + everySlots) % everySlots);
      for (let slot = firstMade; slot < firstMade + 200; slot++) {
        expect(pending.endingIn(slot - 1)).toEqual(made.get(slot - 1) ?? null);
        if (slot % everySlots !== 0) continue;
        const one = { expected: slot + 0.5, parts: [slot, 2 * slot, 3 * slot] as const };
        pending.keep(slot, one.expected, one.parts);
        made.set(slot + lead + length - 1, one);
      }
    }),
    { numRuns: 50 },
  );
});

test('what was let go of is not given', () => {
  const pending = new PendingForecasts(3, 1, 1);
  pending.keep(10, 5, [1, 2, 3]);
  pending.clear();
  expect(pending.endingIn(13)).toBeNull();
});
