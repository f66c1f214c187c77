import { expect, test } from 'vitest';
import type { JobRequest } from '../../../../src/domain/job.ts';
import type { Snapshot } from '../../../../src/domain/snapshot.ts';
import { SiteMemory } from '../../../../src/predict/wait/gridcast/site-memory.ts';
import { planSite, SitePlans } from '../../../../src/predict/wait/gridcast/site-plans.ts';

const AT = 1_000_000;
const REQUEST: JobRequest = { user: 'ann', queue: null, processors: 4, requestedWalltimeSeconds: 2000 };
const jobOf = (nativeId: string) => ({ nativeId, key: null, ...REQUEST, submitAt: AT - 500 });
const STATE: Snapshot = {
  observedAt: AT,
  processors: 8,
  freeProcessors: 0,
  waiting: [jobOf('3')],
  running: ['1', '2'].map((nativeId) => ({ ...jobOf(nativeId), startAt: AT - 100 })),
};

test('jobs that are asked about at one moment share a plan, which is that of the moment and of all that was learned', () => {
  const memory = new SiteMemory();
  const plans = new SitePlans(memory);
  const first = plans.of(STATE, AT);
  expect(plans.of(STATE, AT)).toBe(first);
  expect(plans.of({ ...STATE }, AT)).toEqual(first);

  const later = plans.of(STATE, AT + 1500);
  expect(later).toEqual(planSite(STATE, AT + 1500, memory));
  expect(later.workLeftByExpectation).toBeLessThan(first.workLeftByExpectation);

  memory.learnRuntime(REQUEST, 200);
  const learned = plans.of(STATE, AT);
  expect(learned).toEqual(planSite(STATE, AT, memory));
  expect(learned.expectedWorkWaiting).toBeLessThan(first.expectedWorkWaiting);
});
