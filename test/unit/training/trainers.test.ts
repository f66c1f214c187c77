import { expect, test, vi } from 'vitest';
import type { EndedRecord } from '../../../src/domain/job.ts';
import { PrionnBytes } from '../../../src/predict/prionn/prionn-bytes.ts';
import { PRIONN_DEFAULTS, type PrionnParameters } from '../../../src/predict/prionn/prionn-parameters.ts';
import { PrionnRuntime } from '../../../src/predict/prionn/prionn-runtime.ts';
import type { Trainer, TrainingRequest } from '../../../src/predict/prionn/training.ts';
import { LiveTrainer } from '../../../src/training/live-trainer.ts';
import { TrainerProcess } from '../../../src/training/trainer-process.ts';
import { WaitingTrainer } from '../../../src/training/waiting-trainer.ts';
import { needsTrainer } from '../../needs-trainer.ts';
import { scriptedJobs } from './scripted-jobs.ts';

needsTrainer();

const SMALL: PrionnParameters = {
  ...PRIONN_DEFAULTS,
  side: 16,
  transform: 'simple',
  every: 20,
  jobs: 40,
  epochs: 6,
  batch: 10,
};
const [alpha, beta] = scriptedJobs(2) as [EndedRecord, EndedRecord];

function live(predictor: PrionnRuntime | PrionnBytes, jobs: readonly EndedRecord[]): void {
  for (const job of jobs) {
    predictor.submitted(job);
    predictor.ended(job);
  }
}

/** Counts what reaches a trainer. */
class Watched implements Trainer {
  readonly requests: TrainingRequest[] = [];

  constructor(private readonly trainer: Trainer) {}

  train(request: TrainingRequest) {
    this.requests.push(request);
    return this.trainer.train(request);
  }
}

test('networks that are waited for tell texts apart, alike for the same past, and one serves all quantities', () => {
  const trainer = new Watched(new WaitingTrainer());
  const jobs = scriptedJobs(120);
  const [runtime, again] = [new PrionnRuntime(SMALL, trainer), new PrionnRuntime(SMALL, trainer)];
  const written = new PrionnBytes('writtenBytes', SMALL, trainer);
  const others = new PrionnRuntime({ ...SMALL, seed: 2 }, new WaitingTrainer());
  for (const predictor of [runtime, again, written]) live(predictor, jobs);
  live(others, jobs.slice(0, 40));
  const said = [alpha, beta].map((job) => runtime.predict(job, null, 0));
  expect(said.map(({ pointSeconds }) => pointSeconds)).toEqual([600, 7200]);
  expect([alpha, beta].map((job) => again.predict(job, null, 0))).toEqual(said);
  expect([alpha, beta].map((job) => others.predict(job, null, 0).quantileSeconds)).not.toEqual(
    said.map(({ quantileSeconds }) => quantileSeconds),
  );
  expect(written.predict(alpha, null, 0).pointBytes).toBe(5e9);
  expect(written.predict(beta, null, 0).pointBytes).toBe(3e4);
  const states = trainer.requests.map(({ from }) => from?.id);
  expect(states).toHaveLength(18);
  expect(new Set(states).size).toBe(6);
});

test('a training that is killed in the middle leaves the last network; the next event trains again', async () => {
  const process = new TrainerProcess();
  const predictor = new PrionnRuntime({ ...SMALL, epochs: 40 }, new LiveTrainer(process));
  const saidOfAlpha = () => predictor.predict(alpha, null, 0).quantileSeconds;
  const untaught = saidOfAlpha();
  const jobs = scriptedJobs(1000);
  let at = 0;
  const go = (count: number) => {
    live(predictor, jobs.slice(at, at + count));
    at += count;
  };
  go(40);
  const unserved = saidOfAlpha();
  expect(unserved).not.toEqual(untaught);
  await vi.waitFor(() => {
    go(1);
    expect(saidOfAlpha()).not.toEqual(unserved);
  }, 30_000);
  go(20 - (at % 20));
  const good = saidOfAlpha();
  await vi.waitFor(() => expect(process.pid).not.toBeNull(), 30_000);
  globalThis.process.kill(process.pid as number, 'SIGKILL');
  await vi.waitFor(() => expect(process.pid).toBeNull(), 30_000);
  go(20 - (at % 20));
  expect(saidOfAlpha()).toEqual(good);
  await vi.waitFor(() => {
    go(1);
    expect(saidOfAlpha()).not.toEqual(good);
  }, 30_000);
});

test('a training that takes too long is killed', async () => {
  const requests: TrainingRequest[] = [];
  const seen = new PrionnRuntime(SMALL, {
    train(request) {
      requests.push(request);
      return { result: () => null, hasFailed: () => true };
    },
  });
  live(seen, scriptedJobs(20));
  const process = new TrainerProcess(1);
  expect(await process.train(requests[0] as TrainingRequest)).toBeNull();
  expect(process.pid).toBeNull();
});

test('what is wrong with a request is told without a character of its texts', async () => {
  const canary = Uint8Array.from({ length: 512 }, (_, i) => (i < 300 ? 'canary'.charCodeAt(i % 6) : 200));
  const { every: _every, jobs: _jobs, point: _point, ...settings } = SMALL;
  const samples = { count: 2, characters: canary, labels: new Int32Array(6) };
  const failed = await new TrainerProcess().train({ settings, from: null, samples }).catch((error: Error) => error);
  expect(failed).toBeInstanceOf(Error);
  expect(String((failed as Error).stack)).not.toMatch(/canary|99, *97, *110/);
});
