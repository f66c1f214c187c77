import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, test } from 'vitest';
import type { JobOutcome, JobRecord, JobRequest } from '../../../../src/domain/job.ts';
import { reveal } from '../../../../src/predict/past/reveal.ts';
import { tell } from '../../../../src/predict/past/tell.ts';
import { GRIDCAST_RUNTIME_DEFAULTS, GridcastRuntime } from '../../../../src/predict/runtime/gridcast.ts';

const HOUR = 3600;
/** By user: a share of the walltime that jobs run, one of two where there are two. */
const USED: Readonly<Record<string, readonly number[]>> = { short: [0.1], whole: [1], two: [0.05, 0.8] };

function past(jobs: number, outcomeOf: (job: number) => JobOutcome = () => 'COMPLETED'): JobRecord[] {
  const random = xoroshiro128plus(42);
  const users = Object.keys(USED);
  return Array.from({ length: jobs }, (_, i) => {
    const user = users[Math.floor(uniformFloat64(random) * users.length)] as string;
    const shares = USED[user] as readonly number[];
    const requestedWalltimeSeconds = HOUR * (1 + Math.floor(4 * uniformFloat64(random)));
    const share = shares[Math.floor(uniformFloat64(random) * shares.length)] as number;
    const ran = Math.round(requestedWalltimeSeconds * share * (0.95 + 0.1 * uniformFloat64(random)));
    const submitAt = 1_000_000 + 300 * i;
    const startAt = submitAt + 60;
    const job = { user, queue: null, processors: 1 + Math.floor(3 * uniformFloat64(random)), requestedWalltimeSeconds };
    return { ...job, nativeId: `${i}`, submitAt, startAt, endAt: startAt + ran, outcome: outcomeOf(i) };
  });
}

function taught(records: readonly JobRecord[]): GridcastRuntime {
  const predictor = new GridcastRuntime();
  for (const event of reveal(records)) tell(predictor, event);
  return predictor;
}

/** How often the 10, 50 and 90 % levels came true of the jobs from one on, each asked about as it is submitted. */
function asked(
  records: readonly JobRecord[],
  firstAsked: number,
  predictor: GridcastRuntime,
  laterOf: (job: number) => number,
) {
  const said = new Map<number, readonly number[]>();
  const within = [0, 0, 0];
  let [scored, mostKnown] = [0, 0];
  for (const event of reveal(records)) {
    const { job } = event;
    if (event.kind === 'submit' && job >= firstAsked) {
      const { quantileSeconds, sampleSize } = predictor.predict(event.submission, null, event.at);
      said.set(job, quantileSeconds);
      mostKnown = Math.max(mostKnown, sampleSize);
    }
    tell(predictor, event.kind === 'submit' ? { ...event, laterSubmissions: laterOf(job) } : event);
    const bounds = event.kind === 'end' ? said.get(job) : undefined;
    if (!bounds || event.kind !== 'end') continue;
    scored++;
    const ran = event.record.endAt - ((event.record.startAt ?? Number.NaN) as number);
    [9, 49, 89].forEach((index, i) => {
      if (ran <= (bounds[index] as number)) within[i] = (within[i] as number) + 1;
    });
  }
  return { scored, within, mostKnown };
}

/** When the next job after so many is submitted. */
const submissionAfter = (jobs: number) => 1_000_000 + 300 * jobs;

function jobOf(user: string, hours = 2): JobRequest {
  return { user, queue: null, processors: 2, requestedWalltimeSeconds: hours * HOUR };
}

describe('runtime/gridcast', () => {
  const predictor = taught(past(2000));

  test('tells users apart who request the same', () => {
    expect(predictor.predict(jobOf('short'), null, submissionAfter(2000)).pointSeconds / (2 * HOUR)).toBeCloseTo(
      0.1,
      1,
    );
    expect(predictor.predict(jobOf('whole'), null, submissionAfter(2000)).pointSeconds / (2 * HOUR)).toBeCloseTo(1, 1);
  });

  test('says both lengths of a user whose jobs are of two', () => {
    const { quantileSeconds } = predictor.predict(jobOf('two'), null, submissionAfter(2000));
    expect((quantileSeconds[19] as number) / (2 * HOUR)).toBeLessThan(0.1);
    expect((quantileSeconds[79] as number) / (2 * HOUR)).toBeGreaterThan(0.7);
  });

  test('says ranges to who asks for them, and forecasts without', () => {
    const asked = [jobOf('two'), submissionAfter(2000)] as const;
    const ranges = predictor.runtimeRanges(...asked) ?? [];
    const within = (share: number) =>
      ranges.some(({ fromSeconds, toSeconds }) => fromSeconds <= share * 2 * HOUR && share * 2 * HOUR <= toSeconds);
    expect([0.05, 0.4, 0.8].map(within)).toEqual([true, false, true]);
    expect(ranges.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 9);
    expect(predictor.predict(jobOf('two'), null, submissionAfter(2000))).not.toHaveProperty('ranges');
    expect(new GridcastRuntime().runtimeRanges(...asked)).toBeNull();
  });

  test('its percentiles come true on jobs that it is asked about before they are told', () => {
    const { scored, within } = asked(past(3000), 1000, new GridcastRuntime(), () => 0);
    expect(scored).toBeGreaterThan(1900);
    [0.1, 0.5, 0.9].forEach((level, i) => {
      expect(Math.abs((within[i] as number) / scored - level)).toBeLessThan(0.05);
    });
  });

  test('of a long past that is lived through it takes the newest jobs, and its percentiles come true after that', () => {
    const capacity = 1000;
    const known = 5000;
    const predictor = new GridcastRuntime({ ...GRIDCAST_RUNTIME_DEFAULTS, capacity });
    const { scored, within, mostKnown } = asked(past(known + 1000), known, predictor, (job) =>
      Math.max(0, known - job),
    );
    expect(mostKnown).toBeLessThanOrEqual(capacity);
    expect(scored).toBeGreaterThan(900);
    [0.1, 0.5, 0.9].forEach((level, i) => {
      expect(Math.abs((within[i] as number) / scored - level)).toBeLessThan(0.05);
    });
  });

  test('says how little it rests on: much of a known user, less of one never seen', () => {
    expect(predictor.predict(jobOf('short'), null, submissionAfter(2000)).sampleSize).toBeGreaterThan(20);
    expect(new GridcastRuntime().predict(jobOf('short'), null, submissionAfter(2000))).toMatchObject({
      sampleSize: 0,
      pointSeconds: Number.POSITIVE_INFINITY,
    });
  });

  test('forecasts before its trees are grown, by the last jobs alike', () => {
    const young = taught(past(60));
    expect(young.predict(jobOf('short'), null, submissionAfter(60))).toMatchObject({ predictor: 'runtime/gridcast' });
    expect(young.predict(jobOf('short'), null, submissionAfter(60)).pointSeconds / (2 * HOUR)).toBeCloseTo(0.1, 1);
  });

  test.each(['NODE_FAIL', 'PREEMPTED'] as const)('learns nothing of runtimes from %s', (outcome) => {
    const spoiled = past(1200).map((record, i) =>
      i % 2 === 0 ? record : { ...record, endAt: record.startAt as number, outcome },
    );
    const { quantileSeconds } = taught(spoiled).predict(jobOf('whole'), null, submissionAfter(1200));
    expect((quantileSeconds[19] as number) / (2 * HOUR)).toBeGreaterThan(0.8);
  });

  test('a job whose end nobody told does not run for ever', () => {
    const untold = past(1200).map((record, i) =>
      i % 4 === 0 ? { ...record, user: 'lost', endAt: null, outcome: null } : record,
    );
    const { quantileSeconds } = taught(untold).predict(jobOf('lost'), null, submissionAfter(1200));
    expect((quantileSeconds[49] as number) / (2 * HOUR)).toBeLessThan(2);
  });

  test('learns from jobs that failed, as processors are taken by them, too', () => {
    const failing = past(1200, (job) => (job % 2 === 0 ? 'FAILED' : 'COMPLETED'));
    expect(taught(failing).predict(jobOf('short'), null, submissionAfter(1200)).pointSeconds).toBeCloseTo(
      taught(past(1200)).predict(jobOf('short'), null, submissionAfter(1200)).pointSeconds,
      6,
    );
  });
});
