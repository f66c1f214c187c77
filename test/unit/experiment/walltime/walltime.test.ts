import { expect, test } from 'vitest';
import type { PartInput } from '../../../../src/experiment/experiment.ts';
import { runExperiment } from '../../../../src/experiment/run/run-experiment.ts';
import { adjustedSchedule, MODES } from '../../../../src/experiment/walltime/adjusted-schedule.ts';
import { AlongLog } from '../../../../src/experiment/walltime/along-log.ts';
import { ESTIMATE_METRICS } from '../../../../src/experiment/walltime/estimate-metrics.ts';
import { estimatePart } from '../../../../src/experiment/walltime/estimate-part.ts';
import { schemePart } from '../../../../src/experiment/walltime/scheme-part.ts';
import { walltimeExperiment } from '../../../../src/experiment/walltime/walltime.ts';
import { generateWorkload } from '../../../../src/sim/generator.ts';
import { outcomeOf } from '../../../../src/sim/job-table.ts';
import type { Workload } from '../../../../src/sim/workload.ts';

const PROCESSORS = 64;
const GENERATED = { seed: 7, load: 0.9, processors: PROCESSORS, jobs: 3000 };
const ADJUSTMENT = 'runtime/adjusted-walltime:50';

const TOLD = { processors: PROCESSORS, policy: 'wfp', settings: '', seed: 1, onProgress: () => {} } as const;

function workload(): Workload {
  return generateWorkload({ ...GENERATED, fromAt: 0 }, GENERATED.jobs);
}

function schedule(log: Workload, mode: (typeof MODES)[number], shake = 0) {
  return adjustedSchedule(log, { ...TOLD, adjustment: ADJUSTMENT, mode, shake });
}

test.each(MODES)('%s: jobs run until their end or their request, never until what they are adjusted to', (mode) => {
  const { cluster } = schedule(workload(), mode);
  const { startAt, endAt, runSeconds, walltimeSeconds, believedSeconds, outcome } = cluster.table.columns;
  let adjusted = 0;
  let outran = 0;
  for (let job = 0; job < cluster.table.length; job++) {
    const ran = (endAt[job] as number) - (startAt[job] as number);
    expect(ran).toBe(Math.min(runSeconds[job] as number, walltimeSeconds[job] as number));
    if ((runSeconds[job] as number) <= (walltimeSeconds[job] as number)) {
      expect(outcomeOf(outcome[job] as number)).toBe('COMPLETED');
    }
    if ((believedSeconds[job] as number) < (walltimeSeconds[job] as number)) adjusted++;
    if (ran > (believedSeconds[job] as number)) outran++;
  }
  expect(adjusted).toBeGreaterThan(100);
  expect(outran).toBeGreaterThan(10);
});

test.each(MODES)('%s: what a job is adjusted to rests on nothing that ended later', (mode) => {
  const honest = workload();
  const poisoned = workload();
  const from = 2000;
  for (let job = from; job < poisoned.length; job++) poisoned.columns.runSeconds[job] = 1;
  const fromAt = honest.columns.submitAt[from] as number;
  const [before, after] = [honest, poisoned].map((log) => schedule(log, mode).cluster.table.columns.believedSeconds);
  const earlier = [...honest.columns.submitAt.subarray(0, from)].filter((at) => at < fromAt).length;
  expect(after?.subarray(0, earlier)).toEqual(before?.subarray(0, earlier));
  expect(after).not.toEqual(before);
});

test('shaken schedules submit the same jobs up to five minutes later, alike for one shake', () => {
  const { submitAt } = schedule(workload(), 'selective').cluster.table.columns;
  const shaken = schedule(workload(), 'selective', 3);
  expect(schedule(workload(), 'selective', 3).cluster.table.columns).toEqual(shaken.cluster.table.columns);
  expect([...shaken.jobOf].toSorted((a, b) => a - b)).toEqual(Array.from({ length: GENERATED.jobs }, (_, job) => job));
  for (const [row, job] of shaken.jobOf.entries()) {
    const later = (shaken.cluster.table.columns.submitAt[row] as number) - (submitAt[job] as number);
    expect(later).toBeGreaterThanOrEqual(1);
    expect(later).toBeLessThanOrEqual(300);
  }
});

test('the experiment has the unadjusted schedule beside each adjustment, over several shakes', async () => {
  const runtimes = 'runtime/recent-use';
  const parameters = { parts: 'wfp/selective,easy', adjustments: ADJUSTMENT, runtimes, shakes: 2 };
  const result = await runExperiment('walltime', { source: { generated: GENERATED }, parameters });
  const rows = new Map(result.rows.map((row) => [row.name, row]));
  expect([...rows.keys()]).toEqual([
    'wfp/selective/requested',
    `wfp/selective/${ADJUSTMENT}`,
    'wfp/selective/true-runtimes',
    'easy/requested',
    'easy-sjbf/requested',
    'easy/baseline/last-two',
    'easy++',
    'easy/runtime/recent-use',
    'easy-sjbf/runtime/recent-use',
  ]);
  expect(rows.get('wfp/selective/requested')).toMatchObject({ waitChangePercent: 0, waitChangeSpreadPercent: 0 });
  expect(rows.get('wfp/selective/true-runtimes')).toMatchObject({ accuracyMean: 1, ueShare: 0, beShare: 0 });
  expect(rows.get(`wfp/selective/${ADJUSTMENT}`)?.naShare).toBeLessThan(1);
  expect(result.notes.join(' ')).toContain('last two fifths');
});

test('along the log a job is asked about once, with what had ended there, whatever becomes of it in a schedule', () => {
  const log = livedThrough();
  const told = { ...TOLD, adjustment: ADJUSTMENT, mode: 'selective', shake: 0 } as const;
  const estimates = new AlongLog(log, '').of(ADJUSTMENT);
  const { cluster, jobOf } = adjustedSchedule(log, { ...told, alongLog: estimates });
  const { believedSeconds, walltimeSeconds } = cluster.table.columns;
  for (const [row, job] of jobOf.entries()) {
    const said = Number.isNaN(estimates[job]) ? (walltimeSeconds[row] as number) : (estimates[job] as number);
    expect(believedSeconds[row]).toBe(Math.max(1, Math.min(walltimeSeconds[row] as number, said)));
  }
  expect(estimates.filter((seconds) => !Number.isNaN(seconds)).length).toBeGreaterThan(100);
  const poisoned = livedThrough();
  for (let job = 2000; job < poisoned.length; job++) poisoned.columns.runSeconds[job] = 1;
  const fromAt = log.columns.submitAt[2000] as number;
  const earlier = [...log.columns.submitAt.subarray(0, 2000)].filter((at) => at < fromAt).length;
  expect(new AlongLog(poisoned, '').of(ADJUSTMENT).subarray(0, earlier)).toEqual(estimates.subarray(0, earlier));
});

test('the experiment knows two pasts', async () => {
  const parameters = { parts: 'wfp/selective,easy', adjustments: ADJUSTMENT, runtimes: 'runtime/recent-use' };
  const bySchedule = await runExperiment('walltime', { source: { generated: GENERATED }, parameters });
  const told = { source: { generated: GENERATED }, parameters: { ...parameters, past: 'log' } };
  const byLog = await runExperiment('walltime', told);
  expect(byLog.rows.map(({ name }) => name)).toEqual(bySchedule.rows.map(({ name }) => name));
  const beside = { source: { generated: GENERATED }, parameters: { past: 'future' } };
  await expect(runExperiment('walltime', beside)).rejects.toThrow('parameter past is future; there are schedule, log');
});

/** The generated log as if it had been lived through unadjusted. */
function livedThrough(): Workload {
  const log = workload();
  const { cluster, jobOf } = adjustedSchedule(log, { ...TOLD, adjustment: null, mode: 'regular', shake: 0 });
  for (const [row, job] of jobOf.entries()) {
    log.columns.waitSeconds[job] =
      (cluster.table.columns.startAt[row] as number) - (log.columns.submitAt[job] as number);
  }
  return log;
}

test('along the log, the scheme that is asked and the table of schemes say the same', () => {
  const parameters = { adjustments: 'runtime/adjusted-walltime:85', settings: '' };
  const input: PartInput = { workload: livedThrough(), seed: 1, parameters, onProgress: () => {} };
  const [requested, asked] = estimatePart(input);
  const schemes = schemePart('user+project+walltime', input);
  expect(requested).toMatchObject({ jobs: GENERATED.jobs, naShare: 1, oeShare: 0, ueShare: 0, beShare: 0 });
  const row = schemes.find(({ name }) => name === 'scheme/user+project+walltime/1-months');
  for (const metric of ESTIMATE_METRICS) expect(row?.[`${metric}P85`], metric).toBe(asked?.[metric]);
  expect(asked?.naShare).toBeLessThan(0.9);
});

test('a log that requests no walltimes is refused', async () => {
  const log = workload();
  log.columns.requestedSeconds.fill(-1);
  const input: PartInput = { workload: log, seed: 1, parameters: {}, onProgress: () => {} };
  expect(() => walltimeExperiment.runPart('estimates', input)).toThrow(/no job of it says how long it asks to run/);
});

test.each([
  [{ adjustments: 'runtime/none:85' }, /no runtime predictor runtime\/none/],
  [{ adjustments: 'runtime/adjusted-walltime:101' }, /whole percentile from 1 to 100/],
  [{ settings: '{"runtime/gridcast":{"trees":0}}' }, /parameter trees of runtime\/gridcast must be a whole number/],
  [{ parts: 'wfp' }, /walltime has no part wfp; it has estimates,/],
  [{ shakes: 0.5 }, /shakes must be a whole number from 1/],
  [{ scoredShare: 0 }, /scoredShare must be above 0 and at most 1/],
])('%j is refused in words', async (parameters, words) => {
  await expect(runExperiment('walltime', { source: { generated: GENERATED }, parameters })).rejects.toThrow(words);
});
