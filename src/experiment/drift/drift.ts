import { DAY_SECONDS } from '../../domain/clock.ts';
import { formatExactSeconds } from '../../domain/duration.ts';
import { Agenda } from '../../sim/agenda.ts';
import { RandomStream } from '../../sim/random.ts';
import type { Workload } from '../../sim/workload.ts';
import type { Experiment, ExperimentRow, Parameters, PartInput } from '../experiment.ts';
import { readLogOf } from '../read-log-of.ts';
import { machineOf } from '../simulate.ts';
import { VarqProcess } from '../varq/varq-process.ts';
import { VarqSite } from '../varq/varq-site.ts';
import { pastOf } from './drift-past.ts';
import { DriftTally } from './drift-tally.ts';

/**
 * Whether promises are kept at a site whose past is unlike its present. The first half of one log is the imported past
 * of a site that then lives through the second half of another under EASY; users ask for reservations there from the
 * first hour on. Each log is the past of the one told after it, the last of the first; or `pairs` says which is whose,
 * by their order: `0>1,2>2` has 0 as the past of 1, and 2 as its own, where nothing should change.
 */
export const driftExperiment: Experiment = {
  name: 'drift',
  describe: 'whether promises are kept at a site whose imported past is unlike its present',
  parameters: {
    variants: 'heeds=past,heeds=present',
    alsoTraces: '',
    pairs: '',
    days: 8,
    pastDays: 70,
    usersPerProbability: 2,
    leadSeconds: 10_800,
    retrySeconds: 600,
    recomputeSeconds: 300,
    snapshotSeconds: 300,
  },
  files: ['alsoTraces'],
  parts({ variants, alsoTraces, pairs }) {
    const logs = 1 + filesOf(alsoTraces).length;
    const ring = Array.from({ length: logs }, (_, past) => `${past}>${(past + 1) % logs}`);
    const chosen = String(pairs) === '' ? ring : String(pairs).split(',');
    return chosen.flatMap((pair) =>
      String(variants)
        .split(',')
        .map((variant) => `${pair} ${variant}`),
    );
  },
  async runPart(part, input) {
    const [pair = '', variant = ''] = part.split(' ');
    const [past, present] = pair.split('>').map(Number) as [number, number];
    const also = filesOf(input.parameters.alsoTraces);
    const logAt = async (index: number) => (index === 0 ? input.workload : readLogOf(input, also[index - 1] as string));
    return runDrift({ past: await logAt(past), present: await logAt(present), variant }, input);
  },
};

/** Two logs, and how the predictor is set. */
export interface DriftCase {
  /** Whose first half is the past. */
  readonly past: Workload;
  /** Whose second half is lived through. */
  readonly present: Workload;
  /** A setting of `wait/gridcast`, `name=value`. */
  readonly variant: string;
}

/** One pair of logs: a row for the days from the second on, then one for every day. */
export function runDrift(
  { past, present, variant }: DriftCase,
  { seed, parameters, onProgress }: PartInput,
): ExperimentRow[] {
  assertLong(past);
  assertLong(present);
  const processors = machineOf(present, undefined);
  const beginsAt = middleOf(present);
  const endsAt = beginsAt + Number(parameters.days) * DAY_SECONDS;
  const { predictor, knownFromAt } = pastOf(past, {
    processors,
    untilAt: beginsAt,
    variant,
    days: Number(parameters.pastDays),
  });
  const log = between(present, beginsAt - WARM_UP_SECONDS, endsAt + DAY_SECONDS);
  const site = new VarqSite(log, processors, predictor, Number(parameters.snapshotSeconds), {
    watchedFromAt: beginsAt,
    knownFromAt,
  });
  site.advanceTo(beginsAt + FIRST_LOOK_SECONDS);
  const tally = new DriftTally(beginsAt, Number(parameters.leadSeconds));
  const processes = processesOf(site, log, seed, parameters, tally);
  const agenda = new Agenda(processes);
  for (let at = agenda.nextAt; at < endsAt; at = agenda.nextAt) {
    site.advanceTo(at);
    agenda.next();
    onProgress(Math.floor(((at - beginsAt) / (endsAt - beginsAt)) * present.length));
  }
  return tally.rows(`${nameOf(past)} > ${nameOf(present)} ${variant}`);
}

/** Submission of the first job of the second half. */
function middleOf({ columns, length }: Workload): number {
  return columns.submitAt[Math.floor(length / 2)] as number;
}

/** @throws RangeError for a log of whose halves one is shorter than a day, which is nothing to live through */
function assertLong(log: Workload): void {
  const { submitAt } = log.columns;
  const [first, middle, last] = [submitAt[0] as number, middleOf(log), submitAt[log.length - 1] as number];
  const seconds = Math.min(middle - first, last - middle);
  if (seconds >= DAY_SECONDS) return;
  const short = formatExactSeconds(Math.floor(seconds));
  throw new RangeError(`${nameOf(log)} is too short: a half of it lasts ${short}, and has to last a day at least`);
}

function processesOf(
  site: VarqSite,
  log: Workload,
  seed: number,
  parameters: Parameters,
  tally: DriftTally,
): VarqProcess[] {
  const sizes = log.columns.allocatedProcessors.subarray(0, log.length).filter((size) => size > 0);
  const node = sizes.reduce((least, size) => Math.min(least, size), site.processors);
  const users = Number(parameters.usersPerProbability);
  return PROBABILITIES.flatMap((probability, i) =>
    Array.from({ length: users }, (_, user) => {
      const number = i * users + user;
      const options = {
        probability,
        leadSeconds: Number(parameters.leadSeconds),
        retrySeconds: Number(parameters.retrySeconds),
        recomputeSeconds: Number(parameters.recomputeSeconds),
        cap: 0,
        paddingCap: 0,
        processors: NODES.map((nodes) => Math.min(site.processors, nodes * node)),
      };
      const random = new RandomStream(seed * 1000 + number);
      return new VarqProcess(site, random, options, site.now + number * APART_SECONDS, tally);
    }),
  );
}

/** The jobs that are submitted from one moment up to another. */
function between(log: Workload, fromAt: number, untilAt: number): Workload {
  const submitAt = log.columns.submitAt.subarray(0, log.length);
  const from = submitAt.findIndex((at) => at >= fromAt);
  const until = submitAt.findLastIndex((at) => at < untilAt);
  return log.slice(from, until + 1 - from);
}

function filesOf(text: unknown): string[] {
  return String(text)
    .split(',')
    .filter((file) => file !== '');
}

function nameOf(log: Workload): string {
  return (log.name.split('/').at(-1) ?? log.name).replace(/-\d{4}.*$/, '');
}

const PROBABILITIES = [0.5, 0.75, 0.95] as const;
/** Small ones more often, so that the reservations change little of what the site lives through. */
const NODES = [1, 1, 2, 4, 8] as const;
/** That the machine has to come into the state in which it is found. */
const WARM_UP_SECONDS = 30 * DAY_SECONDS;
const FIRST_LOOK_SECONDS = 600;
const APART_SECONDS = 1700;
