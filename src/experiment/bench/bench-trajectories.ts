import { replan } from '../../plan/replan.ts';
import { createWaitPredictor } from '../../predict/registry.ts';
import { generateWorkload } from '../../sim/generator.ts';
import { RandomStream } from '../../sim/random.ts';
import { RUN_SECONDS } from '../varq/varq-process.ts';
import { VarqSite } from '../varq/varq-site.ts';
import type { BenchInstruments } from './bench-simulator.ts';

/** One measurement. */
export interface TrajectoriesBenchRow {
  readonly [figure: string]: number | string;
  readonly name: string;
  readonly reservations: number;
  /** Submission times that were looked at, of all reservations together. */
  readonly points: number;
  readonly cpuSeconds: number;
  readonly perSecond: number;
  /** Of one core, when all are computed anew every five minutes. */
  readonly percentOfCore: number;
}

/**
 * Computes the trajectory of many waiting reservations, up to six hours ahead, and chooses their submission times anew,
 * by predictors that have learned 20,000 jobs of a generated site under EASY.
 */
export function benchTrajectories(
  predictors: readonly string[],
  reservations: number,
  { readMilliseconds, onProgress }: Omit<BenchInstruments, 'readResidentBytes'>,
): TrajectoriesBenchRow[] {
  return predictors.map((name, i) => {
    onProgress?.(i, predictors.length, `${name} learns`);
    const site = learnedSite(name);
    onProgress?.(i + 0.5, predictors.length, `${name} recomputes`);
    const began = readMilliseconds();
    const points = recomputeAll(site, reservations);
    const cpuSeconds = (readMilliseconds() - began) / 1000;
    return {
      name,
      reservations,
      points,
      cpuSeconds: Math.round(cpuSeconds * 100) / 100,
      perSecond: Math.round(reservations / cpuSeconds),
      percentOfCore: Math.round((1000 * cpuSeconds) / RECOMPUTE_SECONDS) / 10,
    };
  });
}

function learnedSite(predictor: string): VarqSite {
  const workload = generateWorkload({ seed: 1, load: 0.8, processors: PROCESSORS, fromAt: 0 }, JOBS);
  const site = new VarqSite(workload, PROCESSORS, createWaitPredictor(predictor), RECOMPUTE_SECONDS);
  site.advanceTo(workload.columns.submitAt[JOBS - 1] as number);
  return site;
}

function recomputeAll(site: VarqSite, reservations: number): number {
  const random = new RandomStream(1);
  let points = 0;
  for (let i = 0; i < reservations; i++) {
    const startAt = site.now + 60 + Math.floor(random.uniform() * LONGEST_LEAD_SECONDS);
    const processors = 2 ** Math.floor(random.uniform() * 6);
    const runSeconds = RUN_SECONDS[i % RUN_SECONDS.length] as number;
    const trajectory = site.trajectoryOf({ processors, runSeconds, startAt });
    replan({ aimedProbability: 0.8, priceSeconds: 3600 }, trajectory);
    points += trajectory.length;
  }
  return points;
}

const JOBS = 20_000;
const PROCESSORS = 128;
const LONGEST_LEAD_SECONDS = 21_600;
const RECOMPUTE_SECONDS = 300;
