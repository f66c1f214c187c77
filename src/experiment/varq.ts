import { createWaitPredictor } from '../predict/registry.ts';
import { RandomStream } from '../sim/random.ts';
import type { Workload } from '../sim/workload.ts';
import type { Experiment, ExperimentRow, Parameters } from './experiment.ts';
import { machineOf } from './simulate.ts';
import { VarqProcess, type VarqTally } from './varq-process.ts';
import { VarqSite } from './varq-site.ts';

/**
 * Whether promises are kept: tables 2 and 3 of nurmi-varq. Three users, one per probability, make one reservation after another,
 * six hours ahead, at a site that replays the log under EASY; the reservations compete with the log's jobs and each other.
 * The paper retries every 15 s; this does every five minutes unless told.
 */
export const varqExperiment: Experiment = {
  name: 'varq',
  describe: 'whether virtual reservations are kept, and what they cost (tables 2 and 3 of nurmi-varq)',
  parameters: {
    predictors: 'wait/gridcast,wait/qbets',
    leadSeconds: 21_600,
    retrySeconds: 300,
    recomputeSeconds: 300,
    snapshotSeconds: 300,
    warmUpJobs: 2000,
    processors: 0,
  },
  parts: ({ predictors }) => String(predictors).split(','),
  runPart(part, { workload, seed, parameters, onProgress }) {
    const processors = machineOf(workload, Number(parameters.processors) || undefined);
    const site = new VarqSite(workload, processors, createWaitPredictor(part), Number(parameters.snapshotSeconds));
    const processes = processesOf(site, workload, seed, parameters);
    while (site.nextSubmitAt < Number.POSITIVE_INFINITY) {
      const due = processes.reduce((first, one) => (one.dueAt < first.dueAt ? one : first));
      site.advanceTo(due.dueAt);
      due.next();
      onProgress(site.handedIn);
    }
    return processes.map(({ tally }, i) => rowOf(part, PROBABILITIES[i] as number, tally));
  },
  paperRows: () => PAPER_ROWS,
};

/** Which start two hours apart, so that they do not all aim at the same moment. */
function processesOf(site: VarqSite, workload: Workload, seed: number, parameters: Parameters): VarqProcess[] {
  const { submitAt, allocatedProcessors } = workload.columns;
  const fromAt = submitAt[Math.min(Number(parameters.warmUpJobs), workload.length - 1)] ?? 0;
  const sizes = allocatedProcessors.subarray(0, workload.length).filter((size) => size > 0);
  const node = sizes.reduce((least, size) => Math.min(least, size), site.processors);
  return PROBABILITIES.map((probability, i) => {
    const options = {
      probability,
      leadSeconds: Number(parameters.leadSeconds),
      retrySeconds: Number(parameters.retrySeconds),
      recomputeSeconds: Number(parameters.recomputeSeconds),
      processors: NODES.map((nodes) => Math.min(site.processors, nodes * node)),
    };
    return new VarqProcess(site, new RandomStream(seed * PROBABILITIES.length + i), options, fromAt + i * 7200);
  });
}

function rowOf(predictor: string, probability: number, tally: VarqTally): ExperimentRow {
  const actual = tally.kept / tally.accepted;
  return {
    name: `${predictor}/p${probability}`,
    accepted: tally.accepted,
    promisedShare: probability,
    forecastShare: rounded(tally.promised / tally.accepted),
    actualShare: rounded(actual),
    twoStandardErrors: rounded(2 * Math.sqrt((actual * (1 - actual)) / tally.accepted)),
    requiredProcessorHours: Math.round(tally.required / 3600),
    usedProcessorHours: Math.round(tally.used / 3600),
    chargeRatio: rounded(tally.used / tally.required),
    refusals: tally.refusals,
    meanBestOffer: rounded(tally.bestOffers / tally.refusals),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const PROBABILITIES = [0.5, 0.75, 0.95] as const;
const NODES = [1, 4, 8, 16, 32] as const;

/** Tables 2 and 3, all machines together. */
const PAPER_ROWS: readonly ExperimentRow[] = [
  { name: 'paper/p0.5', accepted: 290, promisedShare: 0.5, forecastShare: 0.71, actualShare: 0.79, chargeRatio: 1.22 },
  {
    name: 'paper/p0.75',
    accepted: 259,
    promisedShare: 0.75,
    forecastShare: 0.83,
    actualShare: 0.89,
    chargeRatio: 1.19,
  },
  {
    name: 'paper/p0.95',
    accepted: 186,
    promisedShare: 0.95,
    forecastShare: 0.96,
    actualShare: 0.93,
    chargeRatio: 2.28,
  },
];
