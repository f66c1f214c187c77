import fc from 'fast-check';
import { expect, test } from 'vitest';
import { epochOfLocalTime, localTimeOf } from '../../../adapters/shared/local-time.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'Australia/Lord_Howe'];

test('a moment is read back from its local time, in the hour that comes twice as its first one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_500_000_000, max: 2_000_000_000 }), fc.constantFrom(...ZONES), (at, zone) => {
      const text = localTimeOf(at, zone);
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      const read = epochOfLocalTime(text, zone);
      expect(localTimeOf(read, zone)).toBe(text);
      expect([0, 1800, 3600]).toContain(at - read);
    }),
  );
});

test('known moments', () => {
  expect(epochOfLocalTime('2026-11-20T18:47:45', 'UTC')).toBe(Date.UTC(2026, 10, 20, 18, 47, 45) / 1000);
  expect(epochOfLocalTime('2026-07-01T12:00:00', 'Europe/Berlin')).toBe(Date.UTC(2026, 6, 1, 10) / 1000);
});
