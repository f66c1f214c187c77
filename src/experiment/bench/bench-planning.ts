import { invariant } from '../../domain/failures.ts';
import type { SizeChoice } from '../../domain/job-sizes.ts';
import type { PlanRequest } from '../../domain/plan.ts';
import { choosePlan } from '../../plan/choose.ts';
import { withRuntime } from '../../plan/job/molding.ts';
import { type ForecastOption, optionsOf } from '../../plan/job/options.ts';
import { RandomStream } from '../../sim/random.ts';
import type { BenchInstruments } from './bench-simulator.ts';
import { type LearnedSite, learnPast, siteOf } from './learned-sites.ts';

/** One measurement. */
export interface PlanningBenchRow {
  readonly [figure: string]: number | string;
  readonly name: string;
  readonly sites: number;
  readonly sizes: number;
  /** Ways to run a job that every plan forecast and compared. */
  readonly options: number;
  readonly plans: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  /** Of the whole, what comparing took. */
  readonly comparingPercent: number;
  /** That the 99th percentile has to keep to; left out where there is none. */
  readonly barMilliseconds?: number;
}

type PlanningCase = Pick<PlanningBenchRow, 'sites' | 'sizes' | 'barMilliseconds'>;

/** How much is measured. */
export interface PlanningBenchSize {
  readonly cases: readonly PlanningCase[];
  readonly plans: number;
  /** Jobs that every site's predictors have learned. */
  readonly jobs: number;
}

/**
 * What it costs to plan a job: a forecast of the runtime and of the wait of every option by the predictors that decide,
 * and the choice with its reasons. More than twenty sites share twenty pasts, each in a state of its own. Every tenth
 * plan finds a new state at every site, which is as after every site was observed; the ones between find what has been
 * made of it.
 */
export function benchPlanning(
  { cases, plans, jobs }: PlanningBenchSize,
  { readMilliseconds, onProgress }: Omit<BenchInstruments, 'readResidentBytes'>,
): PlanningBenchRow[] {
  const most = Math.max(...cases.map(({ sites }) => sites));
  const pasts = Math.min(most, DIFFERENT_PASTS);
  const learned = Array.from({ length: pasts }, (_, seed) => {
    onProgress?.(seed, pasts + cases.length, `site ${seed + 1} of ${pasts} learns`);
    return learnPast(seed + 1, jobs);
  });
  const all = Array.from({ length: most }, (_, number) => siteOf(number, learned, NOW));
  return cases.map(({ sites, sizes, ...bar }, index) => {
    const name = `${sites} sites x ${sizes} sizes`;
    onProgress?.(pasts + index, pasts + cases.length, name);
    const measured = measure(all.slice(0, sites), sizes, plans, readMilliseconds);
    return { name, sites, sizes, options: sites * sizes, plans, ...measured, ...bar };
  });
}

function measure(
  sites: readonly LearnedSite[],
  sizes: number,
  plans: number,
  readMilliseconds: () => number,
): Pick<PlanningBenchRow, 'p50Milliseconds' | 'p99Milliseconds' | 'comparingPercent'> {
  const random = new RandomStream(1);
  const whole: number[] = [];
  let comparing = 0;
  let seen = sites;
  for (let plan = -WARM_UP_PLANS; plan < plans; plan++) {
    if (plan % PLANS_PER_STATE === 0) seen = sites.map((site) => ({ ...site, state: { ...site.state } }));
    const walltimeSeconds = 600 * Math.ceil(24 * random.uniform());
    const request = { processors: 1, walltimeSeconds, sizes: sizesUpTo(sizes), queue: null, deadlineAt: null };
    const began = readMilliseconds();
    const options = forecastAll(seen, request);
    const forecast = readMilliseconds();
    const { chosen } = choosePlan(request, options, NOW, Number.POSITIVE_INFINITY);
    const ended = readMilliseconds();
    invariant(chosen, 'a plan over sites that take everything has chosen none');
    if (plan < 0) continue;
    whole.push(ended - began);
    comparing += ended - forecast;
  }
  const total = whole.reduce((sum, milliseconds) => sum + milliseconds, 0);
  whole.sort((a, b) => a - b);
  const at = (share: number) => round(whole[Math.min(whole.length - 1, Math.ceil(share * whole.length) - 1)] as number);
  return { p50Milliseconds: at(0.5), p99Milliseconds: at(0.99), comparingPercent: round((100 * comparing) / total) };
}

/** Powers of two, of a job that runs nearly as much faster on them; null for one size. */
function sizesUpTo(sizes: number): SizeChoice | null {
  if (sizes === 1) return null;
  const processors = Array.from({ length: sizes }, (_, power) => 2 ** power);
  return { processors, fromHistory: false, speedup: { kind: 'AMDAHL', serialShare: 0.05 } };
}

/**
 * Every way to run a job with its forecasts, as the service asks for them: at each site the runtime once, of which a
 * model tells what other sizes make, and the wait of every size. As if the sites had all been observed just now.
 */
function forecastAll(sites: readonly LearnedSite[], request: PlanRequest): ForecastOption[] {
  const { processors, walltimeSeconds: requestedWalltimeSeconds } = request;
  return sites.flatMap(({ site, wait, runtime, state }) => {
    const { observedAt } = state;
    const asked = { queue: null, user: null, submitAt: observedAt };
    const stated = runtime.predict({ ...asked, processors, requestedWalltimeSeconds }, state, observedAt);
    return optionsOf(request, [site], NOW).map((option) => {
      const made = withRuntime(option, request, { ...stated, observedAt });
      const query = { ...asked, processors: made.processors, requestedWalltimeSeconds: made.walltimeSeconds };
      return { ...made, forecast: wait.predict(query, state, observedAt) };
    });
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const NOW = 0;
const PLANS_PER_STATE = 10;
const WARM_UP_PLANS = 20;
/** Sites beyond as many share a past with others, each in another state. */
const DIFFERENT_PASTS = 20;
