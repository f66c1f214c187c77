import { expect, test } from 'vitest';
import type { Thing } from '../../../src/cli/client/lookup.ts';
import { exitCodeOf } from '../../../src/cli/commands/watch.ts';

const promise = (state: string, outcome: string | null) => ({ state, job: { state: 'ENDED', outcome } });
const group = (state: string, ...legs: ReturnType<typeof promise>[]) => ({ state, legs });

const file = (direction: string, state: string) => ({ path: 'x', direction, state });

test.each([
  ['Job', { outcome: 'COMPLETED' }, 0],
  ['Job', { outcome: 'COMPLETED', stagedFiles: [file('IN', 'MOVED'), file('OUT', 'MOVED')] }, 0],
  ['Job', { outcome: 'COMPLETED', stagedFiles: [file('OUT', 'MOVED'), file('OUT', 'FAILED')] }, 4],
  ['Job', { outcome: 'COMPLETED', stagedFiles: [file('OUT', 'SKIPPED')] }, 4],
  ['Job', { outcome: 'FAILED' }, 4],
  ['Job', { outcome: 'TIMEOUT' }, 4],
  ['Job', { outcome: 'LOST' }, 4],
  ['Job', { outcome: 'REJECTED' }, 4],
  ['Job', { outcome: 'CANCELLED' }, 5],
  ['Reservation', promise('KEPT', 'COMPLETED'), 0],
  ['Reservation', promise('KEPT', 'FAILED'), 4],
  ['Reservation', promise('MISSED', 'COMPLETED'), 4],
  ['Reservation', promise('CANCELLED', 'CANCELLED'), 5],
  ['CoAllocation', group('SUCCEEDED', promise('KEPT', 'COMPLETED'), promise('CANCELLED', 'CANCELLED')), 0],
  ['CoAllocation', group('SUCCEEDED', promise('KEPT', 'COMPLETED'), promise('MISSED', 'CANCELLED')), 0],
  ['CoAllocation', group('SUCCEEDED', promise('KEPT', 'FAILED')), 4],
  ['CoAllocation', group('FAILED', promise('MISSED', 'CANCELLED')), 4],
  ['CoAllocation', group('CANCELLED', promise('CANCELLED', 'CANCELLED')), 5],
])('%s %j ends watch with %d', (kind, value, exitCode) => {
  expect(exitCodeOf({ kind, value } as unknown as Thing)).toBe(exitCode);
});
