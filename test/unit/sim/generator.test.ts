import { expect, test } from 'vitest';
import {
  type GeneratedJob,
  type GeneratorOptions,
  generateJobs,
  generateWorkload,
} from '../../../src/sim/generator.ts';
import { RandomStream } from '../../../src/sim/random.ts';

const MIDNIGHT = 19_675 * 86_400;
const OPTIONS: GeneratorOptions = { seed: 11, processors: 256, load: 0.75, fromAt: MIDNIGHT };

function take(count: number, options: Partial<GeneratorOptions> = {}): GeneratedJob[] {
  const stream = generateJobs({ ...OPTIONS, ...options });
  return Array.from({ length: count }, () => stream.next().value);
}

const share = (jobs: readonly GeneratedJob[], is: (job: GeneratedJob) => boolean) =>
  jobs.filter(is).length / jobs.length;

test('the same seed gives the same jobs, another seed others', () => {
  expect(take(500)).toEqual(take(500));
  expect(take(500, { seed: 12 })).not.toEqual(take(500));
});

test('jobs come in order, in whole seconds, and fit the machine', () => {
  for (const processors of [1, 2, 7, 64, 1000]) {
    const jobs = take(2000, { processors });
    for (const [index, job] of jobs.entries()) {
      expect(job.submitAt).toBeGreaterThanOrEqual(jobs[index - 1]?.submitAt ?? MIDNIGHT);
      expect(Number.isInteger(job.submitAt) && Number.isInteger(job.processors)).toBe(true);
      expect(job.processors).toBeGreaterThanOrEqual(1);
      expect(job.processors).toBeLessThanOrEqual(processors);
      expect(job.runSeconds).toBeGreaterThan(0);
    }
  }
});

test.each([0.5, 0.8])('the first jobs of any seed bring a load near %f', (load) => {
  for (let seed = 0; seed < 10; seed++) {
    const jobs = take(4000, { seed: seed * 100, load });
    const work = jobs.reduce((sum, job) => sum + job.processors * Math.min(job.runSeconds, job.walltimeSeconds), 0);
    const offered = work / (OPTIONS.processors * ((jobs.at(-1) as GeneratedJob).submitAt - MIDNIGHT));
    expect(offered / load).toBeGreaterThan(0.97);
    expect(offered / load).toBeLessThan(1.03);
  }
});

test('days are busy and nights are quiet', () => {
  const jobs = take(20_000);
  const between = (from: number, until: number) =>
    share(jobs, ({ submitAt }) => (submitAt % 86_400) / 3600 >= from && (submitAt % 86_400) / 3600 < until);
  expect(between(13, 16)).toBeGreaterThan(3 * between(3, 6));
});

test('sizes: a quarter serial, powers of two preferred', () => {
  const jobs = take(20_000);
  expect(share(jobs, ({ processors }) => processors === 1)).toBeGreaterThan(0.2);
  expect(share(jobs, ({ processors }) => processors === 1)).toBeLessThan(0.4);
  expect(share(jobs, ({ processors }) => Number.isInteger(Math.log2(processors)))).toBeGreaterThan(0.6);
});

test('people ask for round walltimes and mostly for far too much', () => {
  const jobs = take(20_000);
  expect(share(jobs, ({ walltimeSeconds }) => walltimeSeconds % 300 === 0)).toBeGreaterThan(0.95);
  const accuracy = jobs.map((job) => job.runSeconds / job.walltimeSeconds).sort((a, b) => a - b);
  expect(accuracy[10_000]).toBeLessThan(0.6);
  expect(share(jobs, (job) => job.runSeconds > job.walltimeSeconds)).toBeLessThan(0.15);
  expect(share(jobs, (job) => job.runSeconds > job.walltimeSeconds)).toBeGreaterThan(0.01);
});

test('few people submit much, and repeat what they ran', () => {
  const jobs = take(20_000, { users: 30 });
  const users = new Set(jobs.map(({ user }) => user));
  expect(users.size).toBe(30);
  expect(share(jobs, ({ user }) => user <= 3)).toBeGreaterThan(0.35);
  const programs = new Set(jobs.map(({ user, application }) => `${user}/${application}`));
  expect(programs.size).toBeLessThan(jobs.length / 2);
});

test('no request exceeds the longest allowed', () => {
  expect(Math.max(...take(5000, { maxWalltimeSeconds: 7200 }).map((job) => job.walltimeSeconds))).toBe(7200);
});

test('a generated workload states its machine and counts from its origin', () => {
  const workload = generateWorkload(OPTIONS, 1000);
  expect(workload.length).toBe(1000);
  expect(workload.machineProcessors).toBe(256);
  expect(workload.originAt).toBe(MIDNIGHT);
  expect(workload.columns.submitAt[0]).toBeLessThan(86_400);
});

test('random streams have the moments of their distributions', () => {
  const random = new RandomStream(1);
  const count = 200_000;
  const meanOf = (draw: () => number) => Array.from({ length: count }, draw).reduce((sum, x) => sum + x, 0) / count;
  expect(meanOf(() => random.uniform())).toBeCloseTo(0.5, 2);
  expect(meanOf(() => random.normal())).toBeCloseTo(0, 1);
  expect(meanOf(() => random.normal() ** 2)).toBeCloseTo(1, 1);
  expect(meanOf(() => random.gamma(4.2, 0.94))).toBeCloseTo(4.2 * 0.94, 1);
  expect(meanOf(() => (random.gamma(4.2, 0.94) - 3.948) ** 2)).toBeCloseTo(4.2 * 0.94 ** 2, 0);
  expect(meanOf(() => random.weighted([1, 0, 3]))).toBeCloseTo(1.5, 1);
});
