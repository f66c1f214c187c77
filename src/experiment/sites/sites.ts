import { DAY_SECONDS } from '../../domain/clock.ts';
import { RUNTIME } from '../../predict/quantities.ts';
import { createPredictor } from '../../predict/registry.ts';
import { RandomStream } from '../../sim/random.ts';
import { WorkloadError } from '../../sim/workload-error.ts';
import type { Experiment, ExperimentRow, Parameters, PartInput } from '../experiment.ts';
import { ExpectedRuntimes } from '../look-ahead/expected-runtimes.ts';
import { readLogOf } from '../read-log-of.ts';
import { rounded } from '../report/rounded.ts';
import { machineOf } from '../simulate.ts';
import { settingsFor, toldPredictor } from '../told-settings.ts';
import { type HomeLog, mergedStream, type StreamedJob } from './merged-stream.ts';
import { ShownSite, type SiteWatch } from './shown-site.ts';
import { least, SITE_RULES, type SiteRule } from './site-rules.ts';

const BASELINE = 'random';
/** Knows how long every job will run that is there, though not who comes later. */
const ORACLE = 'oracle';
/** Our planner with waits of the queues simulated ahead: for everybody's sake, and for its own job's. */
const AHEAD = 'plan-ahead';
const AHEAD_SELFISH = 'plan-ahead/selfish';

/**
 * Several logs as several sites with their jobs free to choose: what a rule for choosing is worth, against chance and
 * against an oracle. Jobs keep runtime and size wherever they run, and those too large for a site do not go there.
 */
export const sitesExperiment: Experiment = {
  name: 'sites',
  describe: 'several logs as sites whose jobs may go anywhere: our planner against simple rules and an oracle',
  parameters: {
    alsoTraces: '',
    rules: [...SITE_RULES.keys(), 'wait/gridcast', AHEAD_SELFISH, AHEAD, ORACLE].join(','),
    runtimes: 'runtime/recent-use',
    courses: 3,
    othersWeight: 1,
    warmUpDays: 20,
    mostJobs: 40_000,
    snapshotSeconds: 300,
    settings: '',
  },
  files: ['alsoTraces'],
  parts: ({ rules }) => [...new Set([BASELINE, ORACLE, ...String(rules).split(',')])],
  runPart: runSites,
  conclude: compareRows,
  notes: () => NOTES,
};

const NOTES = [
  'All logs begin at 0 and end with the shortest; sizes and runtimes are as logged at every site, a job too large for a \
site does not go there. Jobs without a positive runtime or size are left out. The first warmUpDays are not scored.',
  'random chooses in proportion to the sizes of the sites, which overloads none; random-evenly each as often. \
earliest-estimate: each site simulates its queue with the walltimes requested. oracle: with the true runtimes.',
  'oracleGainShare is the part of what the oracle gains over random.',
];

async function runSites(rule: string, input: PartInput): Promise<ExperimentRow[]> {
  const { seed, parameters, onProgress } = input;
  const homes = await homesOf(input);
  const jobs = mergedStream(homes).slice(0, Number(parameters.mostJobs));
  const sites = homes.map(({ processors }, number) => {
    return new ShownSite(number, processors, watchOf(rule, seed + number, parameters));
  });
  const choose = ruleNamed(rule, parameters);
  const random = new RandomStream(seed);
  const rows = new Int32Array(jobs.length);
  const chosen = jobs.map((job, index) => {
    for (const site of sites) site.advanceTo(job.submitAt);
    const fitting = sites.filter(({ processors }) => job.processors <= processors);
    const site = fitting.length === 1 ? (fitting[0] as ShownSite) : choose(job, fitting, random);
    rows[index] = site.submit(job);
    if (index % PROGRESS_JOBS === 0) onProgress(Math.floor((index / jobs.length) * input.workload.length));
    return site;
  });
  for (const site of sites) site.advanceTo(Number.POSITIVE_INFINITY);
  const warmUntilAt = Number(parameters.warmUpDays) * DAY_SECONDS;
  const runs = jobs.map((job, index) => {
    const site = chosen[index] as ShownSite;
    const row = rows[index] as number;
    return { job, site, startAt: site.startOf(row), endAt: site.endOf(row) };
  });
  return [rowOf(rule, runs, homes, warmUntilAt)];
}

/** A job with where and when it ran. */
interface SiteRun {
  readonly job: StreamedJob;
  readonly site: ShownSite;
  readonly startAt: number;
  readonly endAt: number;
}

function rowOf(name: string, all: readonly SiteRun[], homes: readonly HomeLog[], fromAt: number): ExperimentRow {
  const runs = all.filter(({ job }) => job.submitAt >= fromAt);
  const toAt = runs.at(-1)?.job.submitAt ?? fromAt;
  const busy = (run: SiteRun) => {
    return Math.max(0, Math.min(run.endAt, toAt) - Math.max(run.startAt, fromAt)) * run.job.processors;
  };
  const meanOf = (figureOf: (run: SiteRun) => number) => sumOf(runs, figureOf) / runs.length;
  const processors = homes.reduce((sum, home) => sum + home.processors, 0);
  const shares = homes.map(({ processors: size }, number) => {
    const busyHere = sumOf(all, (run) => (run.site.number === number ? busy(run) : 0));
    return [`utilization${number + 1}`, rounded(busyHere / (size * (toAt - fromAt)), 3) as number] as const;
  });
  return {
    name,
    jobs: runs.length,
    meanResponseSeconds: Math.round(meanOf(({ job, endAt }) => endAt - job.submitAt)),
    meanWaitSeconds: Math.round(meanOf(({ job, startAt }) => startAt - job.submitAt)),
    utilization: rounded(sumOf(all, busy) / (processors * (toAt - fromAt)), 3) as number,
    movedPercent: rounded(100 * meanOf(({ job, site }) => Number(job.home !== site.number)), 1) as number,
    ...Object.fromEntries(shares),
  };
}

function sumOf(runs: readonly SiteRun[], figureOf: (run: SiteRun) => number): number {
  return runs.reduce((sum, run) => sum + figureOf(run), 0);
}

/** Beside each response, what it gains over chance, and how much of the oracle's gain that is. */
function compareRows(rows: readonly ExperimentRow[]): ExperimentRow[] {
  const responseOf = (row: ExperimentRow | undefined) => Number(row?.meanResponseSeconds);
  const byChance = responseOf(rows.find(({ name }) => name === BASELINE));
  const byOracle = responseOf(rows.find(({ name }) => name === ORACLE));
  return rows.map((row) => ({
    ...row,
    reductionPercent: rounded(100 * (1 - responseOf(row) / byChance), 1) as number,
    oracleGainShare: rounded((byChance - responseOf(row)) / (byChance - byOracle), 3) as number,
  }));
}

function ruleNamed(name: string, { othersWeight }: Parameters): SiteRule {
  const simple = SITE_RULES.get(name);
  if (simple) return simple;
  if (name === ORACLE) return least((site, job) => site.waitByTruth(job));
  if (name === AHEAD_SELFISH) return least((site, job) => site.waitByExpected(job));
  if (name !== AHEAD) return least((site, job) => site.waitByPredictor(job));
  const weight = Number(othersWeight);
  return least(
    (site, job) => site.waitByExpected(job) + weight * site.delayOfOthers(job),
    (site) => site.requestedShare,
  );
}

/** Those who listen at a site for a rule that needs them; each site has its own, as it has in the service. */
function watchOf(rule: string, seed: number, parameters: Parameters): SiteWatch {
  const snapshotSeconds = Number(parameters.snapshotSeconds);
  if (rule === AHEAD || rule === AHEAD_SELFISH) {
    const runtimes = String(parameters.runtimes);
    const predictor = createPredictor(RUNTIME, runtimes, settingsFor(runtimes, String(parameters.settings)));
    return {
      expected: new ExpectedRuntimes(predictor, Number(parameters.courses), seed),
      waits: null,
      snapshotSeconds,
    };
  }
  const isTold = SITE_RULES.has(rule) || rule === ORACLE;
  return { expected: null, waits: isTold ? null : toldPredictor(rule, parameters), snapshotSeconds };
}

/** The logs with their machines. @throws WorkloadError for fewer than two */
async function homesOf(input: PartInput): Promise<HomeLog[]> {
  const { workload, parameters } = input;
  const files = String(parameters.alsoTraces)
    .split(',')
    .filter((file) => file !== '');
  if (files.length === 0) {
    throw new WorkloadError(workload.name, null, 'sites needs one log a site; tell --trace once for each');
  }
  const logs = [workload, ...(await Promise.all(files.map((file) => readLogOf(input, file))))];
  return logs.map((log) => ({ log, processors: machineOf(log, undefined) }));
}

const PROGRESS_JOBS = 256;
