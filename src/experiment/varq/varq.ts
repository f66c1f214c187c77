import { Agenda } from '../../sim/agenda.ts';
import { policyNamed } from '../../sim/policy.ts';
import { RandomStream } from '../../sim/random.ts';
import type { Workload } from '../../sim/workload.ts';
import type { Experiment, ExperimentRow, Figure, Parameters, PartInput } from '../experiment.ts';
import { machineOf } from '../simulate.ts';
import { toldPredictor } from '../told-settings.ts';
import { TallyByAge } from './tally-by-age.ts';
import { VarqProcess } from './varq-process.ts';
import { drawReserved, reserveShare } from './varq-share.ts';
import { VarqSite } from './varq-site.ts';
import type { ReservationTally, VarqTally } from './varq-tally.ts';

/**
 * Whether promises are kept: tables 2 and 3 of nurmi-varq. Three users, one per probability, make one reservation after
 * another, six hours ahead, at a site that replays the log under EASY; the reservations compete with the log's jobs and
 * each other. The paper retries every 15 s; this does every five minutes unless told. With `share`, table 4: as many
 * percent of the log's jobs become reservations at the next six-hour mark, at one probability in each run. With
 * `owners` the predictor sees whose the log's jobs are and which queue they are in, as it does at real sites.
 * `paddingCap` is the most that holding may be expected to cost, in multiples of the own work; where its caller says
 * nothing the API promises within 3. `levels` are the probabilities; with `youngDays` the promises of the site's first
 * days have rows of their own. With `policy` the log is replayed under another one than EASY, but what a clairvoyant
 * would pay is still reckoned under EASY.
 * Beside each charge stands what submitting at once and knowing all waits would have cost.
 */
export const varqExperiment: Experiment = {
  name: 'varq',
  describe: 'whether virtual reservations are kept, and what they cost (tables 2, 3 and 4 of nurmi-varq)',
  parameters: {
    predictors: 'wait/gridcast,wait/qbets',
    levels: '0.5,0.75,0.95',
    youngDays: 0,
    share: 0,
    cap: 0,
    paddingCap: 0,
    leadSeconds: 21_600,
    retrySeconds: 300,
    recomputeSeconds: 300,
    snapshotSeconds: 300,
    warmUpJobs: 2000,
    processors: 0,
    owners: false,
    policy: 'easy',
    settings: '',
  },
  parts: (parameters) =>
    String(parameters.predictors)
      .split(',')
      .flatMap((name) => (Number(parameters.share) > 0 ? levelsOf(parameters).map((p) => nameOf(name, p)) : [name])),
  runPart: (part, input) => (Number(input.parameters.share) > 0 ? runShare(part, input) : runProcesses(part, input)),
  paperRows: (_trace, { share }) => (Number(share) > 0 ? paperRowsOfShare(Number(share)) : PAPER_ROWS),
};

/** Tables 2 and 3. */
function runProcesses(predictor: string, input: PartInput): ExperimentRow[] {
  const { workload, seed, parameters, onProgress, onFigure } = input;
  const site = siteOf(predictor, workload, parameters);
  const levels = levelsOf(parameters);
  const bornAt = workload.columns.submitAt[0] ?? 0;
  const tallies = levels.map(() => new TallyByAge(bornAt, Number(parameters.youngDays)));
  const processes = processesOf(site, workload, seed, parameters, tallies);
  const agenda = new Agenda(processes);
  while (site.nextSubmitAt < Number.POSITIVE_INFINITY) {
    site.advanceTo(agenda.nextAt);
    agenda.next();
    onProgress(site.handedIn);
  }
  const named = processes.map((process, i) => ({
    process,
    tally: tallies[i] as TallyByAge,
    name: nameOf(predictor, levels[i] as number),
  }));
  onFigure?.(trajectoriesOf(predictor, named));
  onFigure?.(
    calibrationOf(
      predictor,
      named.map(({ tally, name }) => [name, tally.all]),
    ),
  );
  return named.flatMap(({ tally, name }, i) => tally.rows(name, levels[i] as number));
}

/** Table 4. */
function runShare(part: string, { workload, seed, parameters, onProgress, onFigure }: PartInput): ExperimentRow[] {
  const [predictor = '', probability = Number.NaN] = [part.replace(/\/p[^/]*$/, ''), Number(part.split('/p').at(-1))];
  const share = Number(parameters.share);
  const drawn = drawReserved(workload, share / 100, Number(parameters.warmUpJobs), new RandomStream(seed));
  const site = siteOf(predictor, workload, parameters, drawn);
  const [recomputeSeconds, paddingCap] = [Number(parameters.recomputeSeconds), Number(parameters.paddingCap)];
  const tally = reserveShare(site, workload, drawn, { probability, recomputeSeconds, paddingCap, onProgress });
  const name = `${part}/share${share}`;
  onFigure?.(calibrationOf(name, [[name, tally]]));
  return [tally.row(name, probability)];
}

function siteOf(predictor: string, workload: Workload, parameters: Parameters, left?: ReadonlySet<number>): VarqSite {
  const processors = machineOf(workload, Number(parameters.processors) || undefined);
  const created = toldPredictor(predictor, parameters);
  return new VarqSite(workload, processors, created, Number(parameters.snapshotSeconds), {
    showsOwners: parameters.owners === true,
    policy: policyNamed(String(parameters.policy)),
    ...(left && { left }),
  });
}

/** The probabilities that are asked for. */
function levelsOf({ levels }: Parameters): number[] {
  const asked = String(levels).split(',').map(Number);
  const wrong = asked.find((level) => !(level > 0 && level < 1));
  if (wrong !== undefined) throw new RangeError(`levels are probabilities within (0, 1), not ${levels}`);
  return asked;
}

function nameOf(predictor: string, probability: number): string {
  return `${predictor}/p${probability}`;
}

function trajectoriesOf(predictor: string, named: readonly { process: VarqProcess; name: string }[]): Figure {
  return {
    title: `${predictor}: trajectory of the first promise at each probability`,
    x: 'hours before the start time at which the job is submitted',
    y: 'probability of running at the start time',
    series: named.map(({ process, name }) => {
      const startAt = process.firstStartAt;
      const points = process.firstTrajectory ?? [];
      return { name, points: points.map(({ submitAt, probability }) => [(startAt - submitAt) / 3600, probability]) };
    }),
  };
}

function calibrationOf(title: string, tallies: readonly (readonly [string, VarqTally])[]): Figure {
  return {
    title: `${title}: calibration of the promises`,
    x: 'forecast probability when promised',
    y: 'share kept',
    series: tallies.map(([name, tally]) => ({ name, points: tally.calibration() })),
  };
}

/** Which start two hours apart, so that they do not all aim at the same moment. */
function processesOf(
  site: VarqSite,
  workload: Workload,
  seed: number,
  parameters: Parameters,
  tallies: readonly ReservationTally[],
): VarqProcess[] {
  const { submitAt, allocatedProcessors } = workload.columns;
  const fromAt = submitAt[Math.min(Number(parameters.warmUpJobs), workload.length - 1)] ?? 0;
  const sizes = allocatedProcessors.subarray(0, workload.length).filter((size) => size > 0);
  const node = sizes.reduce((least, size) => Math.min(least, size), site.processors);
  const levels = levelsOf(parameters);
  return levels.map((probability, i) => {
    const options = {
      probability,
      leadSeconds: Number(parameters.leadSeconds),
      retrySeconds: Number(parameters.retrySeconds),
      recomputeSeconds: Number(parameters.recomputeSeconds),
      cap: Number(parameters.cap),
      paddingCap: Number(parameters.paddingCap),
      processors: NODES.map((nodes) => Math.min(site.processors, nodes * node)),
    };
    return new VarqProcess(
      site,
      new RandomStream(seed * levels.length + i),
      options,
      fromAt + i * 7200,
      tallies[i] as ReservationTally,
    );
  });
}

const NODES = [1, 4, 8, 16, 32] as const;

/** Table 4: share in percent, probability, predicted, actual, count. */
const PAPER_SHARES = [
  [10, 0.5, 0.54, 0.66, 359],
  [10, 0.75, 0.77, 0.72, 60],
  [10, 0.95, 0.97, 0.91, 11],
  [50, 0.5, 0.55, 0.6, 1869],
  [50, 0.75, 0.77, 0.68, 1108],
  [50, 0.95, 0.96, 0.84, 194],
  [95, 0.5, 0.68, 0.64, 1960],
  [95, 0.75, 0.43, 0.81, 939],
  [95, 0.95, 0.98, 0.97, 48],
] as const;

function paperRowsOfShare(share: number): ExperimentRow[] {
  return PAPER_SHARES.filter(([percent]) => percent === share).map(
    ([percent, promisedShare, forecastShare, actualShare, accepted]) => {
      return { name: `paper/p${promisedShare}/share${percent}`, accepted, promisedShare, forecastShare, actualShare };
    },
  );
}

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
