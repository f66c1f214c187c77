import { expect, test } from 'vitest';
import type { EndedRecord, JobOutcome } from '../../../../src/domain/job.ts';
import { RecentUse } from '../../../../src/predict/runtime/recent-use.ts';
import { SubmissionForecaster } from '../../../../src/predict/wait/gridcast/submission-forecaster.ts';

const ASKED = { user: 'ann', queue: null, processors: 1, requestedWalltimeSeconds: 1000 };
const UNKNOWN_SECONDS = 500;
const RECORD = { nativeId: '1', ...ASKED, submitAt: 100, startAt: 100 };

function ended(endAt: number, outcome: JobOutcome | null): EndedRecord {
  return { ...RECORD, endAt, outcome };
}

/** A site where the job ran at 300 and is gone at 600. */
function seenToGo(told: EndedRecord | null): SubmissionForecaster {
  const forecaster = new SubmissionForecaster(() => new RecentUse());
  const state = { processors: 4, freeProcessors: 3, waiting: [] };
  forecaster.learn({ ...RECORD, endAt: null, outcome: null });
  forecaster.observe({ ...state, observedAt: 300, running: [{ ...RECORD, key: null }] });
  if (told) forecaster.learnEnd(told);
  forecaster.observe({ ...state, observedAt: 600, running: [] });
  return forecaster;
}

function observeAt(forecaster: SubmissionForecaster, ...moments: number[]): void {
  const state = { processors: 4, freeProcessors: 4, waiting: [], running: [] };
  for (const observedAt of moments) forecaster.observe({ ...state, observedAt });
}

const expectedSeconds = (forecaster: SubmissionForecaster) => forecaster.memory.expectedRunSeconds(ASKED);

test('an end that was told by the time a job is gone teaches its runtime to the second', () => {
  expect(expectedSeconds(seenToGo(ended(333, 'COMPLETED')))).toBeCloseTo(233, 9);
});

test.each(['FAILED', 'CANCELLED', 'TIMEOUT'] as const)('one that ended %s teaches no runtime', (outcome) => {
  expect(expectedSeconds(seenToGo(ended(333, outcome)))).toBe(UNKNOWN_SECONDS);
});

test('an end that is told later is awaited', () => {
  const forecaster = seenToGo(null);
  observeAt(forecaster, 900, 1200);
  expect(expectedSeconds(forecaster)).toBe(UNKNOWN_SECONDS);
  forecaster.learnEnd(ended(400, 'COMPLETED'));
  expect(expectedSeconds(forecaster)).toBeCloseTo(300, 9);
  observeAt(forecaster, 1500, 1800, 2100);
  expect(expectedSeconds(forecaster)).toBeCloseTo(300, 9);
});

test('one that turns out to have failed then teaches nothing', () => {
  const forecaster = seenToGo(null);
  forecaster.learnEnd(ended(400, 'FAILED'));
  observeAt(forecaster, 900, 1200, 1500, 1800);
  expect(expectedSeconds(forecaster)).toBe(UNKNOWN_SECONDS);
});

test('an end that nobody tells counts as it looked, after a while', () => {
  const forecaster = seenToGo(null);
  observeAt(forecaster, 900, 1200);
  expect(expectedSeconds(forecaster)).toBe(UNKNOWN_SECONDS);
  observeAt(forecaster, 1500);
  expect(expectedSeconds(forecaster)).toBeCloseTo(350, 9);
});

test('ends that are told of a past that nobody watched teach, one that never started does not', () => {
  const forecaster = new SubmissionForecaster(() => new RecentUse());
  forecaster.learnEnd(ended(350, 'COMPLETED'));
  forecaster.learnEnd({ ...ended(360, 'CANCELLED'), nativeId: '2', startAt: null });
  observeAt(forecaster, 600);
  expect(expectedSeconds(forecaster)).toBeCloseTo(250, 9);
});
