import { DAY_SECONDS } from '../../domain/clock.ts';
import { formatExactSeconds } from '../../domain/duration.ts';
import type { LiveRuntimeForecast } from '../../domain/forecast.ts';
import type { OwnSize } from '../../domain/job-sizes.ts';
import type { AutoWalltime, CandidateSite, PlanRequest } from '../../domain/plan.ts';
import type { Ineligibility } from '../unusable.ts';
import type { ForecastOption, ProposedOption } from './options.ts';
import { runtimeAtSize } from './speedup.ts';
import { percentOf, walltimeAtRisk } from './walltime.ts';

/**
 * What tells how long a job runs at the size of an option: the size is the `STATED` one, the tenant's own jobs had it
 * at the site (`HISTORY`), or a model of the speedup is given (`MODEL`); `NOTHING` does.
 */
export type SizeBasis = 'STATED' | 'HISTORY' | 'MODEL' | 'NOTHING';

export function basisOf(option: Pick<ProposedOption, 'site' | 'processors'>, request: PlanRequest): SizeBasis {
  if (option.processors === request.processors) return 'STATED';
  if (ownSizeOf(option.site, option.processors)) return 'HISTORY';
  return request.sizes?.speedup ? 'MODEL' : 'NOTHING';
}

/** The tenant's own jobs of that size at a site; null for none. */
export function ownSizeOf({ ownSizes = [] }: CandidateSite, processors: number): OwnSize | null {
  return ownSizes.find((own) => own.processors === processors) ?? null;
}

/**
 * How many times as long a job runs at the size of an option as at the stated one: by its own runs at both, or by the
 * model. Null where neither tells.
 */
export function runtimeRatio({ site, processors }: Pick<ProposedOption, 'site' | 'processors'>, request: PlanRequest) {
  if (processors === request.processors) return 1;
  const [there, stated] = [ownSizeOf(site, processors), ownSizeOf(site, request.processors)];
  if (there && stated && there.medianRunSeconds > 0 && stated.medianRunSeconds > 0) {
    return there.medianRunSeconds / stated.medianRunSeconds;
  }
  const speedup = request.sizes?.speedup;
  return speedup ? runtimeAtSize(speedup, { runSeconds: 1, processors: request.processors }, processors) : null;
}

/**
 * The walltime to ask for at the size of an option in place of one that is stated for another size: in the ratio of the
 * runtimes, in whole minutes. Without a ratio the longest that the tenant's own jobs of that size asked for.
 */
export function walltimeAtSize(
  option: Pick<ProposedOption, 'site' | 'processors'>,
  request: PlanRequest,
  statedSeconds: number,
): number {
  if (option.processors === request.processors) return statedSeconds;
  const ratio = runtimeRatio(option, request);
  if (ratio !== null) return wholeMinutes(statedSeconds * ratio);
  return ownSizeOf(option.site, option.processors)?.longestWalltimeSeconds ?? statedSeconds;
}

/**
 * An option with how long its work runs and the walltime for it: of an automatic one that which is advised at the risk
 * that is accepted, of a stated one as `walltimeAtSize` says.
 * @param runtime at the size of the option, or at the stated one where a model tells the rest; null where nobody was
 * asked
 */
export function withRuntime<Option extends ProposedOption>(
  option: Option,
  request: PlanRequest,
  runtime: LiveRuntimeForecast | null,
): Option & Pick<ForecastOption, 'runtime' | 'ruledOut'> {
  const basis = basisOf(option, request);
  if (option.ruledOut || runtime === null) return { ...option, runtime: null };
  if (basis === 'NOTHING') return { ...option, runtime: null, ruledOut: unknownRuntime(option, request) };
  const own = basis === 'MODEL' ? scaled(runtime, runtimeRatio(option, request) ?? 1) : runtime;
  if (!request.auto) {
    const walltimeSeconds = walltimeAtSize(option, request, request.walltimeSeconds);
    if (walltimeSeconds > LONGEST_SECONDS) return { ...option, runtime: own, ruledOut: endless(option) };
    return { ...option, runtime: own, walltimeSeconds };
  }
  return withAdvisedWalltime({ ...option, runtime: own }, request, request.auto);
}

function withAdvisedWalltime<Option extends ProposedOption & { readonly runtime: LiveRuntimeForecast }>(
  option: Option,
  request: PlanRequest,
  auto: AutoWalltime,
): Option & Pick<ForecastOption, 'ruledOut'> {
  const requestedSeconds = auto.atMostSeconds === null ? null : walltimeAtSize(option, request, auto.atMostSeconds);
  const advised = walltimeAtRisk(option.runtime, auto.risk, { requestedSeconds, limitSeconds: null });
  if (advised.walltimeSeconds !== null) return { ...option, walltimeSeconds: advised.walltimeSeconds };
  const { name } = option.site;
  const explanation = `no walltime can be chosen at ${percentOf(auto.risk)} risk for ${name}: ${advised.because}; state walltimeSeconds`;
  return { ...option, ruledOut: { reason: 'RUNTIME_UNKNOWN', explanation } };
}

/** The name under which a runtime is kept that a caller's model of the speedup tells. */
export const SPEEDUP_PREDICTOR = 'runtime/speedup-model';

function scaled(runtime: LiveRuntimeForecast, ratio: number): LiveRuntimeForecast {
  const { ranges: _ranges, ...spread } = runtime;
  return {
    ...spread,
    predictor: SPEEDUP_PREDICTOR,
    pointSeconds: runtime.pointSeconds * ratio,
    quantileSeconds: runtime.quantileSeconds.map((seconds) => seconds * ratio),
  };
}

function unknownRuntime({ site, processors }: ProposedOption, request: PlanRequest): Ineligibility {
  const stated = `${request.processors} processors for ${formatExactSeconds(request.walltimeSeconds)}`;
  const explanation = `nothing tells how long it runs on ${processors} processors at ${site.name}: none of your jobs of that size has ended there; ${stated} is what was stated, give a speedup model for other sizes`;
  return { reason: 'RUNTIME_UNKNOWN', explanation };
}

function endless({ site, processors }: ProposedOption): Ineligibility {
  const explanation = `on ${processors} processors at ${site.name} it would need more than ${formatExactSeconds(LONGEST_SECONDS)} of walltime`;
  return { reason: 'WALLTIME_BEYOND_LIMIT', explanation };
}

/** No walltime is longer, whatever a model says. */
const LONGEST_SECONDS = 366 * DAY_SECONDS;

function wholeMinutes(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60 - 1e-6)) * 60;
}
