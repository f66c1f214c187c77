import type { EpochSeconds } from '../../domain/clock.ts';
import { gainScores, type ResponseForecast } from '../../plan/job/gain-score.ts';
import type { WaitPredictor } from '../../predict/predictor.ts';
import type { JobCard } from '../../sim/job-source.ts';
import { LookAhead } from '../../sim/look-ahead.ts';
import type { Policy } from '../../sim/policy.ts';
import type { RandomStream } from '../../sim/random.ts';
import type { ReplayedSite } from '../../sim/replayed-site.ts';
import type { ExpectedRuntimes } from '../look-ahead/expected-runtimes.ts';
import { denseRanges } from './dense-ranges.ts';
import type { SizeOption } from './runtime-rules.ts';

/** What a strategy knows when a job is submitted. */
export interface SizeQuestion extends JobCard {
  readonly at: EpochSeconds;
  readonly site: ReplayedSite;
  readonly random: RandomStream;
}

/** Chooses a size; the first option is the job's own, the others are from small to large. */
export type SizeStrategy = (options: readonly SizeOption[], question: SizeQuestion) => SizeOption;

/** Rules that forecast nothing. */
export const SIMPLE_STRATEGIES: ReadonlyMap<string, SizeStrategy> = new Map<string, SizeStrategy>([
  ['unmolded', ([own]) => own as SizeOption],
  ['smallest', (options) => options.reduce((least, one) => (one.processors < least.processors ? one : least))],
  ['largest', (options) => options.reduce((most, one) => (one.processors > most.processors ? one : most))],
  ['random', (options, { random }) => options[Math.floor(random.uniform() * options.length)] as SizeOption],
]);

/** What forecast of a response is scored: all its percentiles, or the paper's: where they are dense, a wait later. */
type ScoredAs = 'percentiles' | 'ranges';

/** How a planner that simulates the queue ahead compares sizes. */
export interface AheadTerms {
  readonly scoredAs: ScoredAs;
  /**
   * What the wait of others counts, in parts of the own: every job that waits is delayed by the work of an option, as
   * the whole machine would do it. 0 for a planner that thinks of its own job alone.
   */
  readonly othersWeight: number;
}

/** The gain score over waits of the queue as it stands, simulated ahead with expected runtimes. */
export function aheadStrategy(
  policy: Policy,
  expected: ExpectedRuntimes,
  { scoredAs, othersWeight }: AheadTerms,
): SizeStrategy {
  return (options, { site: { cluster } }) => {
    const aheads = Array.from(
      { length: expected.courses },
      (_, course) => new LookAhead(cluster, policy, expected.course(course, cluster)),
    );
    const waitingJobs = othersWeight > 0 ? [...cluster.waiting()].length : 0;
    const othersSeconds = ({ processors, runQuantileSeconds }: SizeOption) =>
      (othersWeight * waitingJobs * processors * mean(runQuantileSeconds)) / cluster.processors;
    return mostGain(
      options,
      (option) => {
        const others = othersSeconds(option);
        return aheads.map((ahead) => ahead.waitSeconds(option) + others);
      },
      scoredAs,
    );
  };
}

/** The gain score over the percentiles of a wait predictor's forecasts. */
export function predictorStrategy(predictor: WaitPredictor): SizeStrategy {
  return (options, { site, user, queue, at }) => {
    const state = site.snapshot();
    return mostGain(options, ({ processors, walltimeSeconds }) => {
      const query = { user, queue, processors, requestedWalltimeSeconds: walltimeSeconds, submitAt: at };
      return predictor.predict(query, state, at).quantileSeconds;
    });
  };
}

/** The option of the largest gain; the first of equals. */
function mostGain(
  options: readonly SizeOption[],
  waitsOf: (option: SizeOption) => readonly number[],
  scoredAs: ScoredAs = 'percentiles',
): SizeOption {
  const responseOf = scoredAs === 'percentiles' ? percentilesOfResponse : rangesOfResponse;
  const scores = gainScores(options.map((option) => responseOf(option, waitsOf(option))));
  return options[scores.indexOf(Math.max(...scores))] as SizeOption;
}

/**
 * Each wait is as likely and is met by every so many-th runtime, which leaves the mean response what it is for any wait
 * with any runtime.
 */
function percentilesOfResponse({ runQuantileSeconds }: SizeOption, waits: readonly number[]): ResponseForecast {
  return { quantileSeconds: runQuantileSeconds.map((run, i) => run + (waits[i % waits.length] as number)) };
}

function rangesOfResponse({ runQuantileSeconds }: SizeOption, waits: readonly number[]): ResponseForecast {
  const wait = mean(waits);
  return {
    ranges: denseRanges(runQuantileSeconds).map(({ fromSeconds, toSeconds }) => {
      return { fromSeconds: fromSeconds + wait, toSeconds: toSeconds + wait };
    }),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
