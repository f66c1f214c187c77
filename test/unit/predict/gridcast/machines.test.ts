import { describe, expect, test } from 'vitest';
import type { SitePart } from '../../../../src/domain/site-part.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../../src/domain/snapshot.ts';
import { NamedFeatures } from '../../../../src/predict/online/features.ts';
import { machineFor, machinesIn, stateAt } from '../../../../src/predict/wait/gridcast/machines.ts';
import { addResources } from '../../../../src/predict/wait/gridcast/resource-features.ts';
import { SiteMemory } from '../../../../src/predict/wait/gridcast/site-memory.ts';
import { SubmissionForecaster } from '../../../../src/predict/wait/gridcast/submission-forecaster.ts';
import { WAIT_MODEL_DEFAULTS, WaitModel } from '../../../../src/predict/wait/gridcast/wait-model.ts';
import { Gridcast } from '../../../../src/predict/wait/gridcast.ts';

const CPU: SitePart = { queues: ['cpu'], processors: 64, gpus: 0, memoryMebibytes: 1000 };
const GPU: SitePart = { queues: ['gpu'], processors: 96, gpus: 8, memoryMebibytes: 4000 };

function waiting(queue: string, processors: number, gpus: number, submitAt = 900): WaitingJob {
  const job = { nativeId: `${queue}${submitAt}`, key: null, user: 'u', queue, processors, submitAt };
  return { ...job, requestedWalltimeSeconds: 600, memoryMebibytes: 100, ...(gpus > 0 && { gpus }) };
}

const running: RunningJob[] = [
  { ...waiting('gpu', 4, 6, 100), startAt: 800 },
  { ...waiting('gpu', 8, 0, 200), startAt: 950 },
  { ...waiting('cpu', 60, 0, 300), startAt: 900 },
];
const state: Snapshot = {
  ...{ observedAt: 1000, processors: 160, freeProcessors: 88, running },
  waiting: [waiting('gpu', 2, 4), waiting('cpu', 10, 0)],
  parts: [CPU, GPU],
};
const job = (queue: string, gpus = 0) => ({ ...waiting(queue, 2, gpus), submitAt: 1000 });

describe('the machines of a site', () => {
  test('of GPUs they count GPUs, and the jobs that have or want some', () => {
    const machine = machineFor(job('gpu', 2), state);
    expect(machine).toMatchObject({ name: 'gpus gpu', countsGpus: true });
    const seen = stateAt(machine as NonNullable<typeof machine>, state);
    expect(seen).toMatchObject({ processors: 8, freeProcessors: 2 });
    expect(seen.running.map(({ processors }) => processors)).toEqual([6]);
    expect(seen.waiting.map(({ processors }) => processors)).toEqual([4]);
  });

  test('of processors they are the nodes that a queue shares with nobody', () => {
    const machine = machineFor(job('cpu'), state);
    const seen = stateAt(machine as NonNullable<typeof machine>, state);
    expect(seen).toMatchObject({ processors: 64, freeProcessors: 4 });
    expect(seen.waiting).toEqual([state.waiting[1]]);
    expect(machineFor(job('gpu'), state)).toMatchObject({ name: 'processors gpu', countsGpus: false });
  });

  test('are none where all of the site is one', () => {
    const { parts: _parts, ...untold } = state;
    expect(machineFor(job('gpu', 2), untold)).toBeNull();
    expect(machinesIn(untold)).toEqual([]);
    const { queues: _queues, ...everybody } = GPU;
    const one = { ...state, parts: [everybody] };
    expect(machineFor(job('cpu'), one)).toBeNull();
    expect(machineFor(job('cpu', 1), one)).toMatchObject({ countsGpus: true });
    expect(machinesIn(one).map(({ countsGpus }) => countsGpus)).toEqual([true]);
    expect(machineFor(job('elsewhere', 1), state)).toBeNull();
  });
});

test('a partition that was never so full is outside its known range, whatever is usual at all of the site', () => {
  const gridcast = new Gridcast();
  const many = (queue: string, count: number, at: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...waiting(queue, 2, queue === 'gpu' ? 2 : 0, at - 60 * n),
      nativeId: `${queue}${n}`,
    }));
  const seen = (at: number, ofCpu: number): Snapshot => {
    const all = [...many('gpu', 24, at), ...many('cpu', ofCpu, at)];
    return { ...{ observedAt: at, processors: 160, freeProcessors: 0, running: [], parts: [CPU, GPU] }, waiting: all };
  };
  const asked = (queue: string, gpus: number) => ({ ...job(queue, gpus), submitAt: now + 3600 });
  let now = 0;
  for (; now < 2.5 * 86_400; now += 600) gridcast.observed(seen(now, 2));
  expect(gridcast.predict(asked('cpu', 0), seen(now, 2), now).outsideKnownRange).toBeNull();
  gridcast.observed(seen(now, 12));
  expect(gridcast.predict(asked('cpu', 0), seen(now, 12), now).outsideKnownRange).not.toBeNull();
  expect(gridcast.predict(asked('gpu', 2), seen(now, 12), now).outsideKnownRange).toBeNull();
});

describe('features of resources', () => {
  const valuesOf = (asked: ReturnType<typeof job>, known: Snapshot) => {
    const features = new NamedFeatures();
    addResources(features, { job: asked, at: 1000, memory: new SiteMemory(), runSeconds: 300 }, known);
    return Object.fromEntries(features.list);
  };

  test('tell what is free and asked for of GPUs and memory in the part of a job', () => {
    expect(valuesOf(job('gpu', 3), state)).toMatchObject({
      ...{ gpusOwn: 3, gpusInPart: 8, gpusFreeInPart: 2, gpusSpareInPart: -1, gpusAskedAheadInPart: 4 },
      ...{ gpusWaitingJobsInPart: 1, gpusWorkAheadInPart: 2400, gpusOldestAgeInPart: 100 },
      ...{ processorsFreeInPart: 84, ownMemoryMebibytes: 100, freeMemoryMebibytes: 3800 },
      ...{ spareMemoryMebibytes: 3700, memoryMebibytesAskedAhead: 100, processorsPlannedWaitInPart: 0 },
    });
    expect(valuesOf(job('gpu', 3), state).gpusPlannedWaitInPart).toBeGreaterThan(0);
    expect(valuesOf(job('cpu'), state)).toMatchObject({ gpusOwn: 0, gpusInPart: 0, processorsFreeInPart: 4 });
  });

  test('are none where the parts of a site are not told, and named all the same', () => {
    const { parts: _parts, ...untold } = state;
    expect(valuesOf(job('gpu', 3), untold)).toEqual({});
    expect(new SubmissionForecaster().featureNames()).toEqual(
      expect.arrayContaining(Object.keys(valuesOf(job('gpu', 3), state))),
    );
  });
});

test('a model learns on when a site comes to tell more of itself', () => {
  const model = new WaitModel({ ...WAIT_MODEL_DEFAULTS, fewestExamples: 200, fitEvery: 200 });
  const told = (i: number) => Float32Array.of(i % 7, i % 2);
  const rootOf = (features: Float32Array) => {
    const leaves = model.leavesOf(features);
    return leaves && model.spreadOf(leaves)?.medianRoot;
  };
  for (let i = 0; i < 200; i++) model.learn({ features: told(i).slice(0, 1), waitSeconds: (i % 2) * 10_000 });
  model.beginFit([]);
  model.finishFit();
  const before = rootOf(told(1).slice(0, 1));
  expect(rootOf(told(1))).toBe(before);
  for (let i = 0; i < 400; i++) model.learn({ features: told(i), waitSeconds: (i % 2) * 10_000 });
  model.beginFit([]);
  model.finishFit();
  expect(rootOf(told(0))).toBeLessThan(20);
  expect(rootOf(told(1))).toBeGreaterThan(80);
  expect(rootOf(told(1).slice(0, 1))).toBe(rootOf(Float32Array.of(1, Number.NaN)));
});
