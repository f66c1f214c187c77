import type { EpochSeconds } from '../../domain/clock.ts';
import type { LiveRuntimeForecast, WaitForecast } from '../../domain/forecast.ts';
import type { CandidateSite, ChargeForecast, JobOption, OptionFinish, PlanRequest } from '../../domain/plan.ts';
import type { QueueFacts } from '../../domain/site.ts';
import { percentOf, walltimeAtRisk } from './walltime.ts';

/** An option with the wait that is forecast for exactly it; null where none could be made. */
export interface ForecastOption extends JobOption {
  readonly forecast: WaitForecast | null;
  /** How long the work runs; null or absent where nobody was asked. */
  readonly runtime?: LiveRuntimeForecast | null;
  /** What can be promised of its finish; null or absent where that is not asked for. */
  readonly finish?: OptionFinish | null;
  /** Why no walltime can be advised for an automatic one; null or absent where it is. */
  readonly unadvised?: string | null;
}

/** An option with the walltime that is advised at the risk that a request accepts; one that states its own stays. */
export function withAdvisedWalltime<Option extends JobOption>(
  option: Option,
  { auto }: PlanRequest,
  runtime: LiveRuntimeForecast,
): Option & Pick<ForecastOption, 'runtime' | 'unadvised'> {
  if (!auto) return { ...option, runtime };
  const { walltimeSeconds, because } = walltimeAtRisk(runtime, auto.risk, {
    requestedSeconds: auto.atMostSeconds,
    limitSeconds: null,
  });
  if (walltimeSeconds !== null) return { ...option, runtime, walltimeSeconds };
  const { name } = option.site;
  const unadvised = `no walltime can be chosen at ${percentOf(auto.risk)} risk for ${name}: ${because}; state walltimeSeconds`;
  return { ...option, runtime, unadvised };
}

/**
 * The queue a request goes to at a site: the one asked for, else the default, else the first in which our jobs start;
 * null at a site without queues. One in which none of ours starts is the answer only where it was asked for, is the
 * default, or is all there is.
 */
export function queueFor({ queue }: Pick<PlanRequest, 'queue'>, site: CandidateSite): QueueFacts | null {
  if (queue !== null) return site.queues.find(({ name }) => name === queue) ?? null;
  return (
    site.queues.find(({ isDefault }) => isDefault) ?? site.queues.find(({ bar }) => !bar) ?? site.queues[0] ?? null
  );
}

/** The ways to run a request that are thought of: at every site as it was asked for, submitted at that moment. */
export function optionsOf(
  request: PlanRequest,
  sites: readonly CandidateSite[],
  submitAt: EpochSeconds,
): readonly JobOption[] {
  const { processors, walltimeSeconds } = request;
  return sites.map((site) => {
    const queue = queueFor(request, site)?.name ?? request.queue;
    return { site, queue, processors, walltimeSeconds, submitAt };
  });
}

/** A request as it is when it is run that way. */
export function requestAs({ queue, processors, walltimeSeconds }: JobOption, request: PlanRequest): PlanRequest {
  return { ...request, queue, processors, walltimeSeconds };
}

/** What an option is charged at most that holds nothing before its own work. */
export function workCharge({
  processors,
  walltimeSeconds,
}: Pick<JobOption, 'processors' | 'walltimeSeconds'>): ChargeForecast {
  const neededProcessorSeconds = processors * walltimeSeconds;
  return { neededProcessorSeconds, worstPaddingProcessorSeconds: 0, expectedPaddingProcessorSeconds: 0 };
}
