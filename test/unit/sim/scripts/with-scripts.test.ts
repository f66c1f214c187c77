import { expect, test } from 'vitest';
import { asOfStart, hasStarted, type JobRecord } from '../../../../src/domain/job.ts';
import { RandomStream } from '../../../../src/sim/random.ts';
import { withScripts } from '../../../../src/sim/scripts/with-scripts.ts';

/** Jobs of twenty users who run a few things again and again, one in ten of which fails early. */
function someJobs(count: number): JobRecord[] {
  const random = new RandomStream(5);
  return Array.from({ length: count }, (_, i) => {
    const user = Math.floor(random.uniform() * 20);
    const usual = Math.floor(random.uniform() * 3);
    const hasFailed = random.uniform() < 0.1;
    const seconds = hasFailed ? 5 : Math.round(600 * (usual + 1) * (user + 1) * Math.exp(0.1 * random.normal()));
    return {
      nativeId: String(i),
      user: String(user),
      queue: 'batch',
      processors: 4 ** usual,
      requestedWalltimeSeconds: 100_000,
      submitAt: 1000 * i,
      startAt: 1000 * i + 5,
      endAt: 1000 * i + 5 + seconds,
      outcome: hasFailed ? ('FAILED' as const) : ('COMPLETED' as const),
    };
  });
}

const scriptsOf = (records: readonly JobRecord[]) => records.map(({ program }) => program?.script ?? '');

test("every job gets a whole script that asks for what the job asks for; the rest stays the log's", () => {
  const jobs = someJobs(300);
  const scripted = withScripts(jobs);
  for (const [i, record] of scripted.entries()) {
    const { program, use, ...rest } = record;
    expect(rest).toEqual(jobs[i]);
    expect(program?.script).toMatch(/^#!\/[\s\S]*#SBATCH[\s\S]*module load [\s\S]*\ncd \/home[\s\S]*\n$/);
    expect(program?.script).toMatch(new RegExp(`#SBATCH (--ntasks=|-n )${record.processors}\n`));
    expect(use?.readBytes).toBeGreaterThan(0);
    expect(use?.writtenBytes).toBeGreaterThan(0);
    expect(use?.cpuSeconds).toBeGreaterThan(0);
  }
});

test('the same seed gives the same scripts, also of a part of the users; another one gives others', () => {
  const jobs = someJobs(300);
  const all = withScripts(jobs);
  expect(withScripts(jobs)).toEqual(all);
  const isSeven = ({ user }: JobRecord) => user === '7';
  expect(withScripts(jobs.filter(isSeven))).toEqual(all.filter(isSeven));
  expect(scriptsOf(withScripts(jobs, { seed: 2 }))).not.toEqual(scriptsOf(all));
});

/** Median of |ln| of how far jobs with the same script ran from the first of them. */
function spreadWithinScripts(records: readonly JobRecord[]): number {
  const first = new Map<string, number>();
  const apart = records.filter(hasStarted).flatMap(({ program, endAt, startAt, outcome }) => {
    if (outcome !== 'COMPLETED') return [];
    const seconds = (endAt ?? 0) - startAt;
    const before = first.get(program?.script ?? '');
    first.set(program?.script ?? '', before ?? seconds);
    return before === undefined ? [] : [Math.abs(Math.log(seconds / before))];
  });
  return apart.sort((a, b) => a - b)[apart.length >> 1] ?? 0;
}

test('scripts are handed in again, and tell as much of the runtime as the noise lets them', () => {
  const jobs = someJobs(2000);
  const [exact, noisy] = [withScripts(jobs, { noise: 0, unrelatedShare: 0 }), withScripts(jobs, { noise: 2 })];
  const unique = new Set(scriptsOf(exact)).size / jobs.length;
  expect(unique).toBeGreaterThan(0.1);
  expect(unique).toBeLessThan(0.7);
  expect(spreadWithinScripts(exact)).toBeLessThan(0.1);
  expect(spreadWithinScripts(noisy)).toBeGreaterThan(2 * spreadWithinScripts(exact));
});

test('a job that failed has the script of an earlier run, and wrote less than that', () => {
  const scripted = withScripts(someJobs(2000), { noise: 0, unrelatedShare: 0 });
  const written = new Map<string, number>();
  const shares: number[] = [];
  for (const { program, use, outcome } of scripted) {
    const script = program?.script ?? '';
    if (outcome === 'COMPLETED') written.set(script, use?.writtenBytes ?? 0);
    else if (written.has(script)) shares.push((use?.writtenBytes ?? 0) / (written.get(script) ?? 1));
  }
  expect(shares.length).toBeGreaterThan(50);
  expect(Math.max(...shares)).toBeLessThan(0.1);
});

test('a few jobs read and write orders of magnitude more than most', () => {
  const scripted = withScripts(someJobs(2000));
  for (const name of ['readBytes', 'writtenBytes'] as const) {
    const bytes = scripted.map(({ use }) => use?.[name] ?? 0).sort((a, b) => a - b);
    const mean = bytes.reduce((sum, value) => sum + value, 0) / bytes.length;
    expect(mean).toBeGreaterThan(5 * (bytes[bytes.length >> 1] ?? 0));
  }
});

test('what is not known yet is not told: no use before the end, a script all the same', () => {
  const [job] = someJobs(1).filter(hasStarted);
  const [waiting] = withScripts([{ ...asOfStart(job as never), startAt: null }]);
  expect(waiting?.program?.script).toMatch(/^#!/);
  expect(waiting).not.toHaveProperty('use');
});

test('what the log says of use stays', () => {
  const [job] = someJobs(1);
  const use = { cpuSeconds: 7, memoryBytes: null, readBytes: null, writtenBytes: null };
  const [scripted] = withScripts([{ ...(job as JobRecord), use }]);
  expect(scripted?.use?.cpuSeconds).toBe(7);
  expect(scripted?.use?.readBytes).toBeGreaterThan(0);
});

test.each([
  [{ noise: -1 }, /noise must be within 0 and 2/],
  [{ noise: Number.NaN }, /noise must be within 0 and 2/],
  [{ seed: 1.5 }, /seed must be a whole number/],
  [{ unrelatedShare: 2 }, /unrelatedShare must be within 0 and 1/],
])('options out of bounds are refused: %o', (options, words) => {
  expect(() => withScripts([], options)).toThrow(words);
});
