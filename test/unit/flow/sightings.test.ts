import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { NativeJob, NativeRef, SiteAdapter } from '../../../src/domain/site-adapter.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../src/domain/snapshot.ts';
import { submissionKey } from '../../../src/domain/submission.ts';
import { CheckedAdapter } from '../../../src/flow/checked-adapter.ts';
import { sightings, sightingsOfMissing } from '../../../src/flow/steps/sightings/sightings.ts';
import type { ExecutionRow } from '../../../src/store/executions.ts';
import { SteppedClock } from '../../stepped-clock.ts';

const ID = '01234567-89ab-cdef-0123-456789abcdef';

/**
 * An accounting that answers from a list and notes what it was asked: a real one cannot be made to reuse an id on
 * demand.
 */
function accounting(answers: readonly NativeJob[]): { adapter: SiteAdapter; asked: NativeRef[] } {
  const asked: NativeRef[] = [];
  const inspect = async (refs: readonly NativeRef[]) => {
    asked.push(...refs);
    return new Map(answers.map((job) => [job.nativeId, job]));
  };
  return { adapter: { inspect } as unknown as SiteAdapter, asked };
}

function tracked(known: Partial<ExecutionRow> = {}): ExecutionRow {
  const ours = { id: ID, attempts: 1, nativeId: '7', nativeSubmittedAt: 1000, state: 'QUEUED', missingSince: null };
  return { ...ours, ...known } as ExecutionRow;
}

function waiting(known: Partial<WaitingJob> = {}): WaitingJob {
  const job = { nativeId: '7', key: submissionKey(ID, 1), user: 'gridcast', queue: null, processors: 1 };
  return { ...job, requestedWalltimeSeconds: 60, submitAt: 1000, ...known };
}

function snapshot(known: Partial<Snapshot> = {}): Snapshot {
  return { observedAt: 2000, processors: 8, freeProcessors: 8, waiting: [], running: [], ...known };
}

/** Everything that one look at a site sees. */
async function look(adapter: SiteAdapter, jobs: readonly ExecutionRow[], listing: Snapshot) {
  const { seen, missing } = sightings(jobs, listing);
  return [...seen, ...(await sightingsOfMissing(adapter, missing, listing.observedAt)).told];
}

const running: RunningJob = { ...waiting(), startAt: 1500 };

test('a job seen to run is news once', async () => {
  const { adapter } = accounting([]);
  const seen = await look(adapter, [tracked()], snapshot({ running: [running] }));
  expect(seen).toMatchObject([{ job: { state: 'RUNNING', startAt: 1500 }, observedAt: 2000 }]);
  expect(
    await look(adapter, [tracked({ state: 'RUNNING', startedAt: 1500 })], snapshot({ running: [running] })),
  ).toEqual([]);
  // Started once more since: the site took the first run back.
  const again = { ...running, startAt: 1700 };
  const known = [tracked({ state: 'RUNNING', startedAt: 1500 })];
  expect(await look(adapter, known, snapshot({ running: [again] }))).toMatchObject([{ job: { startAt: 1700 } }]);
});

test("another user's job under an id that the site has used again is not ours", async () => {
  const { adapter, asked } = accounting([]);
  const foreign = waiting({ key: null, user: 'mallory', submitAt: 1001 });
  const seen = await look(adapter, [tracked()], snapshot({ waiting: [foreign] }));
  expect(seen).toMatchObject([{ job: null }]);
  expect(asked).toEqual([{ nativeId: '7', submittedAt: 1000, key: submissionKey(ID, 1) }]);
});

test('an earlier attempt of ours is not the present one', async () => {
  const { adapter } = accounting([]);
  const earlier = waiting({ key: submissionKey(ID, 1) });
  expect(await look(adapter, [tracked({ attempts: 2 })], snapshot({ waiting: [earlier] }))).toMatchObject([
    { job: null },
  ]);
});

test('a job accepted after the listing was made is not missing', async () => {
  const { adapter, asked } = accounting([]);
  expect(await look(adapter, [tracked({ nativeSubmittedAt: 2001 })], snapshot())).toEqual([]);
  expect(asked).toEqual([]);
});

test('accounting is asked only about jobs that the queue does not mention', async () => {
  const ended = {
    nativeId: '8',
    submittedAt: 1000,
    state: 'ENDED',
    startAt: 1100,
    endAt: 1200,
    outcome: 'FAILED',
    exitCode: 2,
  } as const;
  const { adapter, asked } = accounting([ended]);
  const gone = tracked({ id: '11111111-89ab-cdef-0123-456789abcdef', nativeId: '8' });
  const seen = await look(adapter, [tracked(), gone], snapshot({ waiting: [waiting()] }));
  expect(asked.map(({ nativeId }) => nativeId)).toEqual(['8']);
  expect(seen).toMatchObject([{ execution: { nativeId: '8' }, job: ended }]);
});

test('a job of which a site says what cannot be keeps no other from being seen', async () => {
  const ended = { submittedAt: 1000, state: 'ENDED', startAt: 1100, outcome: 'COMPLETED', exitCode: 0 } as const;
  const { adapter } = accounting([
    { ...ended, nativeId: '7', endAt: 1200 },
    { ...ended, nativeId: '8', endAt: 9000 },
  ]);
  const limits = { maxSkewSeconds: 300, callMilliseconds: 60_000 };
  const checked = new CheckedAdapter(adapter, new SteppedClock(2000), limits, pino({ level: 'silent' }), 'alpha');
  const [believed, doubted, absent] = ['7', '8', '9'].map((nativeId) => tracked({ nativeId }));
  const missing = [believed, doubted, absent] as ExecutionRow[];
  const { told, doubt } = await sightingsOfMissing(checked, missing, 2000);
  expect(told).toMatchObject([
    { execution: { nativeId: '7' }, job: { outcome: 'COMPLETED' } },
    { execution: { nativeId: '9' }, job: null },
  ]);
  expect(doubt).toMatchObject({ code: 'GARBLED', siteSays: 'inspected.8.endAt: a moment that is yet to come' });
});
