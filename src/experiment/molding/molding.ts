import { RUNTIME } from '../../predict/quantities.ts';
import { createPredictor } from '../../predict/registry.ts';
import { POLICIES } from '../../sim/policy.ts';
import { RandomStream } from '../../sim/random.ts';
import type { Workload } from '../../sim/workload.ts';
import { WorkloadError } from '../../sim/workload-error.ts';
import type { Experiment, ExperimentRow, Parameters, PartInput } from '../experiment.ts';
import { ExpectedRuntimes } from '../look-ahead/expected-runtimes.ts';
import { machineOf } from '../simulate.ts';
import { settingsFor, toldPredictor } from '../told-settings.ts';
import { type MoldedSchedule, type MoldedScheduleOptions, moldedSchedule } from './molded-schedule.ts';
import { loadFigure, MOLDING_TABLES, moldingRow, type ScoredJobs } from './molding-figures.ts';
import { moldingNotes, moldingPaperRows } from './molding-paper.ts';
import { DRAWN, strictRule } from './runtime-rules.ts';
import { type AheadTerms, aheadStrategy, predictorStrategy, SIMPLE_STRATEGIES } from './size-strategies.ts';

const RULES = ['drawn', 'strict'] as const;
/** Which of the scored jobs are molded. */
const SHARES = ['all', 'tenth', 'one-user'] as const;
/** Our planner with waits of the queue simulated ahead: for everybody, for its own job, by the paper's score. */
const AHEAD = 'plan-ahead';
const AHEAD_SELFISH = 'plan-ahead/selfish';
const AHEAD_BY_RANGES = 'plan-ahead/ranges';
const BASELINE = 'baseline';

/**
 * Table VIII of hariharan-end-to-end-predictions, under EASY: jobs are given the size of the largest gain score among
 * those that their users ran before. `drawn` is the paper's protocol, in which a molded job runs as long as some other
 * job did; under `strict` its work is conserved, and grows by a share for every doubling of its size.
 */
export const moldingExperiment: Experiment = {
  name: 'molding',
  describe: 'what choosing sizes for jobs does to their response (Table VIII of hariharan-end-to-end-predictions)',
  parameters: {
    rules: RULES.join(','),
    shares: SHARES.join(','),
    strategies: `smallest,largest,random,wait/gridcast,${AHEAD_BY_RANGES},${AHEAD_SELFISH},${AHEAD}`,
    runtimes: 'runtime/recent-use',
    history: 10_000,
    molded: 20_000,
    growth: 0.1,
    othersWeight: 1,
    courses: 3,
    mostSizes: 12,
    snapshotSeconds: 300,
    processors: 0,
    settings: '',
  },
  parts: ({ rules, shares, strategies }) => [
    BASELINE,
    ...listed('rules', rules, RULES).flatMap((rule) =>
      listed('shares', shares, SHARES).flatMap((share) =>
        String(strategies)
          .split(',')
          .filter((strategy) => share === 'all' || !SIMPLE_STRATEGIES.has(strategy))
          .map((strategy) => `${rule} ${share} ${strategy}`),
      ),
    ),
  ],
  runPart: runMolding,
  paperRows: moldingPaperRows,
  notes: moldingNotes,
  tables: MOLDING_TABLES,
};

function runMolding(part: string, { workload, seed, parameters, onProgress, onFigure }: PartInput): ExperimentRow[] {
  const processors = machineOf(workload, Number(parameters.processors) || undefined);
  const log = jobsThatRan(workload);
  const scored = scoredJobs(log.length, parameters);
  const jobs = log.slice(0, scored.to);
  const own = moldedSchedule(jobs, { ...unmolded(processors, seed), onProgress: () => {} });
  const figureOf = (name: string, schedule: MoldedSchedule) => onFigure?.(loadFigure(name, schedule, scored));
  if (part === BASELINE) {
    figureOf(part, own);
    return [moldingRow(part, own, own, scored, new Set())];
  }
  const [rule = '', share = '', strategy = ''] = part.split(' ');
  const molded = moldedJobs(jobs, scored, share, seed);
  const schedule = moldedSchedule(jobs, {
    ...unmolded(processors, seed),
    ...strategyNamed(strategy, seed, parameters),
    rule: rule === 'drawn' ? DRAWN : strictRule(Number(parameters.growth)),
    isMolded: (number) => molded.has(number),
    mostSizes: Number(parameters.mostSizes),
    onProgress,
  });
  if (share === 'all') figureOf(`${rule} ${strategy}`, schedule);
  return [moldingRow(part, schedule, own, scored, molded)];
}

function unmolded(processors: number, seed: number): Omit<MoldedScheduleOptions, 'onProgress'> {
  return {
    processors,
    seed,
    policy: POLICIES.easy,
    rule: DRAWN,
    strategy: ([own]) => own as NonNullable<typeof own>,
    expected: null,
    watcher: null,
    isMolded: () => false,
    mostSizes: 1,
  };
}

function strategyNamed(
  name: string,
  seed: number,
  parameters: Parameters,
): Pick<MoldedScheduleOptions, 'strategy' | 'expected' | 'watcher'> {
  const simple = SIMPLE_STRATEGIES.get(name);
  if (simple) return { strategy: simple, expected: null, watcher: null };
  const runtimes = String(parameters.runtimes);
  const predictor = createPredictor(RUNTIME, runtimes, settingsFor(runtimes, String(parameters.settings)));
  const expected = new ExpectedRuntimes(predictor, Number(parameters.courses), seed);
  const terms = aheadTerms(name, Number(parameters.othersWeight));
  if (terms) return { strategy: aheadStrategy(POLICIES.easy, expected, terms), expected, watcher: null };
  const waits = toldPredictor(name, parameters);
  const watcher = { listener: waits, everySeconds: Number(parameters.snapshotSeconds) };
  return { strategy: predictorStrategy(waits), expected, watcher };
}

function aheadTerms(name: string, othersWeight: number): AheadTerms | null {
  if (name === AHEAD) return { scoredAs: 'percentiles', othersWeight };
  if (name === AHEAD_SELFISH) return { scoredAs: 'percentiles', othersWeight: 0 };
  return name === AHEAD_BY_RANGES ? { scoredAs: 'ranges', othersWeight: 0 } : null;
}

/** The jobs of a log that ran, as in the paper. @throws WorkloadError when there are too few to mold any */
function jobsThatRan(workload: Workload): Workload {
  const { runSeconds, allocatedProcessors } = workload.columns;
  const ran = workload.only((job) => (runSeconds[job] as number) > 0 && (allocatedProcessors[job] as number) > 0);
  if (ran.length >= FEWEST_JOBS) return ran;
  throw new WorkloadError(workload.name, null, `${ran.length} jobs of it ran, molding needs ${FEWEST_JOBS}`);
}

/** Of a log too short for both, a third is history. */
function scoredJobs(jobs: number, { history, molded }: Parameters): ScoredJobs {
  const from = Math.min(Number(history), Math.floor(jobs / 3));
  return { from, to: Math.min(jobs, from + Number(molded)) };
}

function moldedJobs(log: Workload, { from, to }: ScoredJobs, share: string, seed: number): Set<number> {
  const random = new RandomStream(seed);
  const all = Array.from({ length: to - from }, (_, i) => from + i);
  if (share === 'tenth') return new Set(all.filter(() => random.uniform() < TENTH));
  if (share !== 'one-user') return new Set(all);
  const counts = new Map<string | null, number>();
  for (const job of all) counts.set(log.userOf(job), (counts.get(log.userOf(job)) ?? 0) + 1);
  const [busiest] = [...counts].filter(([user]) => user !== null).sort(([, a], [, b]) => b - a);
  return new Set(all.filter((job) => busiest !== undefined && log.userOf(job) === busiest[0]));
}

function listed<Name extends string>(
  what: string,
  told: Parameters[string] | undefined,
  names: readonly Name[],
): Name[] {
  return String(told)
    .split(',')
    .map((one) => {
      const known = names.find((name) => name === one.trim());
      if (known) return known;
      throw new RangeError(`parameter ${what} has ${names.join(', ')}, not ${one}`);
    });
}

const FEWEST_JOBS = 30;
const TENTH = 0.1;
