import { expect, test } from 'vitest';
import type { StartedRecord } from '../../../src/domain/job.ts';
import type { Snapshot } from '../../../src/domain/snapshot.ts';
import { VarqSite } from '../../../src/experiment/varq/varq-site.ts';
import type { WatchedLogOptions } from '../../../src/experiment/varq/watched-log.ts';
import type { WaitPredictor } from '../../../src/predict/predictor.ts';
import { createWaitPredictor } from '../../../src/predict/registry.ts';
import { UNKNOWN_ROW, Workload } from '../../../src/sim/workload.ts';

/** Four jobs of users 5 to 8 in queue 2, a minute apart, of which two run at a time. */
function log(): Workload {
  const workload = new Workload('by hand');
  for (let i = 0; i < 4; i++) {
    const size = { allocatedProcessors: 4, runSeconds: 600, requestedSeconds: 900 };
    workload.add({ ...UNKNOWN_ROW, ...size, id: 1 + i, submitAt: 60 * i, user: 5 + i, queue: 2 });
  }
  return workload;
}

/** What a predictor is shown of the log and of a reservation that is submitted after two minutes. */
function shownOf(options: WatchedLogOptions) {
  const learned: StartedRecord[] = [];
  const seen: Snapshot[] = [];
  const told = createWaitPredictor('baseline/median');
  const predictor: WaitPredictor = {
    name: told.name,
    version: told.version,
    predict: told.predict.bind(told),
    started: (record: StartedRecord) => void learned.push(record),
    observed: (snapshot: Snapshot) => void seen.push(snapshot),
  };
  const site = new VarqSite(log(), 8, predictor, 300, options);
  site.advanceTo(120);
  site.submit({ processors: 8, runSeconds: 100, startAt: 5000 });
  site.advanceTo(301);
  return { learned, state: seen.at(-1) };
}

test('what the published figures were made with hides users and queues', () => {
  const { learned, state } = shownOf({});
  expect(learned.map(({ user, queue }) => [user, queue])).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(state?.waiting.map(({ user, queue }) => [user, queue])).toEqual(Array(3).fill([null, null]));
});

test('with owners the predictor sees whose jobs start and wait, the reservation among them', () => {
  const { learned, state } = shownOf({ showsOwners: true });
  expect(learned).toMatchObject([
    { user: '5', queue: '2', startAt: 0, endAt: null, outcome: null },
    { user: '6', queue: '2', startAt: 60, endAt: null, outcome: null },
  ]);
  expect(state?.waiting.map(({ user, queue }) => [user, queue])).toEqual([
    ['7', '2'],
    ['varq', null],
    ['8', '2'],
  ]);
});

test('it is told each thing once, in the order of time', () => {
  const heard: string[] = [];
  const note = (what: string) => (job: { nativeId: string }) => void heard.push(`${what} ${job.nativeId}`);
  const told = createWaitPredictor('baseline/median');
  const site = new VarqSite(
    log(),
    8,
    {
      name: told.name,
      version: told.version,
      predict: told.predict.bind(told),
      submitted: note('submitted'),
      started: note('started'),
      ended: note('ended'),
      observed: ({ observedAt }) => void heard.push(`observed ${observedAt}`),
    },
    300,
  );
  site.advanceTo(700);
  expect(heard).toEqual([
    'submitted 1',
    'started 1',
    'observed 0',
    'submitted 2',
    'started 2',
    'submitted 3',
    'submitted 4',
    'observed 300',
    'ended 1',
    'started 3',
    'observed 600',
    'ended 2',
    'started 4',
  ]);
});

test('jobs that are left out do not come, and what is not watched is not told', () => {
  const { learned, state } = shownOf({ showsOwners: true, left: new Set([1]), watchedFromAt: 60 });
  expect(learned.map(({ user }) => user)).toEqual(['7']);
  expect(state?.observedAt).toBe(60);
  expect(state?.running.map(({ user }) => user)).toEqual(['5']);
});

test.each([
  ['easy', true],
  ['fcfs', false],
] as const)('under %s a small job passes a large one: %s', (policy, passes) => {
  const site = new VarqSite(log(), 8, createWaitPredictor('baseline/median'), 300, {
    policy,
    showsOwners: true,
  });
  site.advanceTo(120);
  site.submit({ processors: 8, runSeconds: 100, startAt: 5000 });
  site.advanceTo(660);
  const small = { submitAt: 660, processors: 1, runSeconds: 10, walltimeSeconds: 10 };
  site.submitUnpromised(small, { user: 'small', queue: null, key: null });
  site.advanceTo(661);
  expect(site.snapshot().running.some(({ user }) => user === 'small')).toBe(passes);
});

test.each([
  [{}, 1000],
  [{ watchedFromAt: 60 }, 940],
  [{ watchedFromAt: 60, knownFromAt: -5000 }, 6000],
])('a forecast says how much of the past is known: %o', (options, knownPastSeconds) => {
  const site = new VarqSite(log(), 8, createWaitPredictor('baseline/median'), 300, options);
  site.advanceTo(1000);
  expect(site.forecastOf(1, 600, 2000)).toMatchObject({ knownPastSeconds });
});
