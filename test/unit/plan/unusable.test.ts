import { describe, expect, test } from 'vitest';
import type { CandidateSite } from '../../../src/domain/plan.ts';
import { findIneligibility } from '../../../src/plan/choose.ts';

const NOW = 1_700_000_000;
const site: CandidateSite = {
  siteId: 'a',
  name: 'east',
  state: 'ACTIVE',
  processors: 16,
  queues: [{ name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds: null }],
  observedAt: NOW,
};
const job = { processors: 12, walltimeSeconds: 3600, queue: null, deadlineAt: null };
const promise = { ...job, startAt: NOW + 600 };
const reasonOf = (request: typeof job & { startAt?: number }, change: Partial<CandidateSite>) =>
  findIneligibility(request, { ...site, ...change }, NOW, 60)?.reason ?? null;

describe('what a site says against a request for now', () => {
  test.each([
    ['DOWN', 'QUEUE_DOWN'],
    ['FORBIDDEN', 'QUEUE_FORBIDDEN'],
  ] as const)('a queue that is %s', (bar, reason) => {
    const [batch] = site.queues;
    expect(reasonOf(job, { queues: batch ? [{ ...batch, bar, unusableBecause: 'because' }] : [] })).toBe(reason);
  });

  test('fewer processors in service than asked for', () => {
    expect(reasonOf(job, { usableProcessors: 8 })).toBe('TOO_FEW_USABLE');
    expect(reasonOf(job, { usableProcessors: 12 })).toBeNull();
  });

  test.each([
    [
      'of the whole site before the end of the work',
      { startAt: NOW + 4000, endAt: NOW + 9000, processors: null },
      true,
    ],
    ['before the start', { startAt: NOW + 60, endAt: NOW + 300, processors: null }, true],
    ['under way', { startAt: NOW - 60, endAt: NOW + 30, processors: null }, true],
    ['after the end of the work', { startAt: NOW + 4200, endAt: NOW + 9000, processors: null }, false],
    ['over', { startAt: NOW - 600, endAt: NOW, processors: null }, false],
    ['of a part that leaves enough', { startAt: NOW + 4000, endAt: NOW + 9000, processors: 4 }, false],
    ['of a part that leaves too little', { startAt: NOW + 4000, endAt: NOW + 9000, processors: 5 }, true],
  ] as const)('nothing is promised into a maintenance: %s', (_, window, isMet) => {
    const maintenance = [{ ...window, reason: 'maintenance' }];
    expect(reasonOf(promise, { maintenance })).toBe(isMet ? 'MAINTENANCE' : null);
    expect(reasonOf(job, { maintenance })).toBeNull();
  });
});
