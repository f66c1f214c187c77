import type { EpochSeconds } from '../../domain/clock.ts';
import type { LiveRuntimeForecast, WaitForecast } from '../../domain/forecast.ts';
import { MOST_SIZES } from '../../domain/job-sizes.ts';
import type { CandidateSite, ChargeForecast, JobOption, OptionFinish, PlanRequest } from '../../domain/plan.ts';
import type { QueueFacts } from '../../domain/site.ts';
import { askedAt } from '../../domain/site-requests.ts';
import { stagingSeconds } from '../staging/staging-seconds.ts';
import { type Ineligibility, isBarred } from '../unusable.ts';
import { findLacking } from './lacking.ts';
import { isUntried, queuesOf } from './queues.ts';
import { sizesOf } from './sizes.ts';

/** An option as it is thought of, before anything is forecast. */
export interface ProposedOption extends JobOption {
  /** Why it is none, whatever its site says; null or absent where it is. */
  readonly ruledOut?: Ineligibility | null;
  /** Whether nothing is known of waits in its queue, which nobody named; absent where that is not so. */
  readonly isUntried?: boolean;
}

/** An option with the wait that is forecast for exactly it; null where none could be made. */
export interface ForecastOption extends ProposedOption {
  readonly forecast: WaitForecast | null;
  /** How long the work runs; null or absent where nobody was asked. */
  readonly runtime?: LiveRuntimeForecast | null;
  /** What can be promised of its finish; null or absent where that is not asked for. */
  readonly finish?: OptionFinish | null;
  /** What is to be said of it when it is chosen. */
  readonly remark?: string;
}

/**
 * The queue a request goes to at a site where one has to do: the one asked for, else the default, else the first in
 * which our jobs start; null at a site without queues. One in which none of ours starts is the answer only where it was
 * asked for, is the default, or is all there is. Where that has not got what the request asks for it is the first that
 * has.
 */
export function queueFor(request: QueuedRequest, site: CandidateSite): QueueFacts | null {
  const { queue: asked, terms } = askedAt(request, site);
  if (asked !== null) return site.queues.find(({ name }) => name === asked) ?? null;
  const open = site.queues.filter((queue) => !isBarred(queue, terms));
  const usual = site.queues.find(({ isDefault }) => isDefault) ?? open[0] ?? site.queues[0] ?? null;
  if (!request.resources) return usual;
  const { processors = 1, resources } = request;
  const holds = (queue: QueueFacts | null) => findLacking({ processors, resources }, queue, site) === null;
  return holds(usual) ? usual : (open.find(holds) ?? usual);
}

/** A request as far as it says which queue it goes to. */
type QueuedRequest = Pick<PlanRequest, 'queue' | 'sites' | 'terms'> &
  Partial<Pick<PlanRequest, 'processors' | 'resources'>>;

/**
 * The ways to run a request that are thought of: at every site, in every queue that may take it, at every size, handed
 * in at that moment. Each site's come together, the queue that `queueFor` answers and the stated size first. At most
 * `MOST_OPTIONS` in all, or one a site; what is left out for that is an option that says so. The walltime is the stated
 * one, whatever the size: that of another size takes a forecast.
 */
export function optionsOf(
  request: PlanRequest,
  sites: readonly CandidateSite[],
  submitAt: EpochSeconds,
): readonly ProposedOption[] {
  const perSite = Math.max(1, Math.floor(MOST_OPTIONS / Math.max(1, sites.length)));
  return sites.flatMap((site) => optionsAt(request, site, submitAt, perSite));
}

function optionsAt(
  request: PlanRequest,
  site: CandidateSite,
  submitAt: EpochSeconds,
  mostOptions: number,
): ProposedOption[] {
  const sizes = sizesOf(request, site, Math.min(MOST_SIZES, mostOptions));
  const mostQueues = Math.min(MOST_QUEUES, Math.max(1, Math.floor(mostOptions / sizes.kept.length)));
  const queues = queuesFor(request, site, mostQueues);
  const { processors, walltimeSeconds } = request;
  const stated = { site, processors, walltimeSeconds, submitAt: submitAt + stagingSeconds(request, site) };
  const [first = null] = queues.kept;
  const leftOut = (queue: string | null, explanation: string) => {
    return { ...stated, queue, ruledOut: { reason: 'NOT_COMPARED', explanation } } as const;
  };
  return [
    ...queues.kept.flatMap((queue) =>
      sizes.kept.map((size) => {
        const untried = isUntried(request, queue, first, site) && { isUntried: true };
        return { ...stated, queue, processors: size, ...untried };
      }),
    ),
    ...(queues.cut[0] === undefined ? [] : [leftOut(queues.cut[0], cutQueues(queues.cut, site, mostQueues))]),
    ...(sizes.cut[0] === undefined
      ? []
      : [{ ...leftOut(first, cutSizes(sizes.cut, site, sizes.kept.length)), processors: sizes.cut[0] }]),
  ];
}

/** The queues of a site that are thought of, by name; null for a site without queues. */
function queuesFor(request: PlanRequest, site: CandidateSite, most: number) {
  const { queue: asked } = askedAt(request, site);
  const first = asked ?? queueFor(request, site)?.name ?? null;
  if (asked !== null || first === null) return { kept: [first], cut: [] };
  return queuesOf(first, request, site, most);
}

/** A request as it is when it is run that way. */
export function requestAs({ queue, processors, walltimeSeconds }: JobOption, request: PlanRequest): PlanRequest {
  const sites = request.sites?.map(({ queue: _queue, ...terms }) => terms);
  return { ...request, ...(sites && { sites }), queue, processors, walltimeSeconds };
}

/** What work is charged at most that holds nothing before it. */
export function workCharge(billedProcessors: number, walltimeSeconds: number): ChargeForecast {
  const neededProcessorSeconds = billedProcessors * walltimeSeconds;
  const padding = { worstPaddingProcessorSeconds: 0, expectedPaddingProcessorSeconds: 0 };
  return { billedProcessors, neededProcessorSeconds, ...padding };
}

/** Options that are compared in one plan. */
export const MOST_OPTIONS = 1000;
/** Queues of one site that are compared. */
export const MOST_QUEUES = 8;

function cutQueues(cut: readonly string[], { name }: CandidateSite, most: number): string {
  const names = cut.length > 10 ? `${cut.slice(0, 10).join(', ')} and others` : cut.join(', ');
  return `${cut.length} more queues of ${name} are not compared (${names}), only the ${most} best known; name one to have it`;
}

function cutSizes(cut: readonly number[], { name }: CandidateSite, most: number): string {
  return `of its sizes only the ${most} nearest to the stated one are compared at ${name}, not ${cut.join(', ')}; allow fewer sites`;
}
