import { describe, expect, test } from 'vitest';
import type { AccountedRun } from '../../lab/compare/accounted-run.ts';
import { compare } from '../../lab/compare/compare.ts';
import { tallyPromises } from '../../lab/compare/promises.ts';
import type { ToldExecution } from '../../lab/compare/told-execution.ts';

const KEY = `gc-${'a'.repeat(32)}-1`;
const START = 1_790_000_000;

const run: AccountedRun = {
  nativeId: '7',
  key: KEY,
  state: 'ENDED',
  putBack: false,
  outcome: 'COMPLETED',
  processors: 2,
  startAt: START,
  endAt: START + 30,
  exitCode: 0,
};

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

const told: ToldExecution = {
  id: 'job',
  state: 'ENDED',
  outcome: 'COMPLETED',
  reason: null,
  site: { name: 'alpha' },
  nativeId: '7',
  submittedAt: iso(START - 5),
  startedAt: iso(START),
  endedAt: iso(START + 30),
  exitCode: 0,
  submissions: [{ key: KEY, state: 'ACCEPTED', nativeId: '7', site: { name: 'alpha' } }],
  charges: [{ kind: 'NEEDED', processorSeconds: 60 }],
  promise: null,
};

const mismatches = (execution: ToldExecution, runs: readonly AccountedRun[]) =>
  compare([execution], new Map([['alpha', runs]])).mismatches.map(({ what }) => what);

describe('Gridcast held against accounting', () => {
  test('that agree', () => {
    expect(compare([told], new Map([['alpha', [run]]]))).toEqual({ executions: 1, nativeRuns: 1, mismatches: [] });
  });

  test.each<[string, Partial<AccountedRun>, string[]]>([
    ['another end', { endAt: START + 40, outcome: 'COMPLETED' }, ['END', 'CHARGE']],
    ['another start', { startAt: START + 5 }, ['START', 'CHARGE']],
    ['another outcome', { outcome: 'FAILED' }, ['OUTCOME']],
    ['another exit status', { exitCode: 3 }, ['EXIT_CODE']],
    ['a job that still runs', { state: 'RUNNING', endAt: null }, ['STATE', 'CHARGE']],
    ['a key that nobody handed in', { key: `gc-${'b'.repeat(32)}-1` }, ['UNKNOWN_JOB', 'LOST', 'CHARGE']],
  ])('finds %s', (_, change, expected) => {
    expect(mismatches(told, [{ ...run, ...change }])).toEqual(expected);
  });

  test('finds two jobs of one key', () => {
    expect(mismatches(told, [run, { ...run, nativeId: '8' }])).toEqual(['DOUBLED', 'CHARGE']);
  });

  test('a run that was put back is charged too', () => {
    const before = { ...run, putBack: true, outcome: null, startAt: START - 20, endAt: START - 10 };
    expect(mismatches(told, [before, run])).toEqual(['CHARGE']);
    expect(mismatches({ ...told, charges: [{ kind: 'NEEDED', processorSeconds: 80 }] }, [before, run])).toEqual([]);
  });

  test('a promise is kept by a job that ran at its moment, and only by that', () => {
    const promise = { state: 'KEPT', startAt: iso(START + 10), mode: 'HOLD', promisedProbability: 0.9 };
    expect(mismatches({ ...told, promise }, [run])).toEqual([]);
    expect(mismatches({ ...told, promise: { ...promise, startAt: iso(START + 31) } }, [run])).toEqual(['PROMISE']);
    expect(mismatches({ ...told, promise: { ...promise, startAt: iso(START - 1) } }, [run])).toEqual(['PROMISE']);
    expect(mismatches({ ...told, promise: { ...promise, startAt: iso(START + 30) } }, [run])).toEqual([]);
    expect(mismatches({ ...told, promise: { ...promise, state: 'MISSED' } }, [run])).toEqual(['PROMISE']);
  });

  test('promises are tallied by site', () => {
    const promise = (state: string) => ({ state, startAt: iso(START), mode: 'HOLD', promisedProbability: 0.8 });
    const executions = ['KEPT', 'KEPT', 'MISSED', 'CANCELLED'].map((state) => ({ ...told, promise: promise(state) }));
    const [all, alpha] = tallyPromises(executions);
    expect(all).toMatchObject({ name: 'all', decided: 3 });
    expect(all?.promised).toBeCloseTo(0.8, 12);
    expect(all?.kept).toBeCloseTo(2 / 3, 12);
    expect(all?.twoStandardErrors).toBeCloseTo((2 * Math.sqrt(3 * 0.16)) / 3, 12);
    expect(alpha).toEqual({ ...all, name: 'alpha' });
  });
});
