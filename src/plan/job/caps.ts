import type { EpochSeconds } from '../../domain/clock.ts';
import { probabilityToStartWithin, type RuntimeForecast } from '../../domain/forecast.ts';
import type { PlanTerms } from '../../domain/objective.ts';
import type { CandidateSite, ChargeForecast, PlanRequest } from '../../domain/plan.ts';
import { expectedAndWorst } from '../charge.ts';
import type { Ineligibility } from '../unusable.ts';
import { jobSpread, type SpreadOption } from './spread.ts';
import { percentOf } from './walltime.ts';

/**
 * The risk of an option: the probability, by its forecasts, that the job does not end as its caller wants it to:
 * because its walltime kills it or, where it has a deadline, because that passes before. Wait and runtime are taken to
 * be independent. In whole percent without a deadline. A runtime that was forecast of a stated walltime knows that
 * nothing runs longer: one that comes to it was killed. Null where too little is known to tell: of the runtime, or with
 * a deadline of the wait.
 */
export function riskOf(
  option: SpreadOption,
  { auto, deadlineAt, finishBy }: Pick<PlanRequest, 'auto' | 'deadlineAt' | 'finishBy'>,
  now: EpochSeconds,
): number | null {
  const { runtime, walltimeSeconds } = option;
  if (!runtime || runtime.sampleSize === 0) return null;
  const longestSeconds = auto ? walltimeSeconds : REACHED * walltimeSeconds;
  const endBy = deadlineAt ?? finishBy?.at ?? null;
  if (endBy === null) return 1 - probabilityToStartWithin(runtime, longestSeconds);
  const spread = jobSpread(option, now);
  if (spread === null) return null;
  const { leadSeconds, earliestStartSeconds } = spread;
  const starts = spread.waitQuantileSeconds.map((wait) => Math.max(leadSeconds + wait, earliestStartSeconds));
  return 1 - shareInTime(starts, runtime, { longestSeconds, withinSeconds: endBy - now });
}

/** Share of the pairs of starts and runtimes that end well and in time, none of them beyond the last percentile. */
function shareInTime(
  starts: readonly number[],
  { quantileSeconds }: Pick<RuntimeForecast, 'quantileSeconds'>,
  { longestSeconds, withinSeconds }: { longestSeconds: number; withinSeconds: number },
): number {
  let runs = quantileSeconds.length;
  let pairs = 0;
  for (const start of starts) {
    const longest = Math.min(longestSeconds, withinSeconds - start);
    while (runs > 0 && (quantileSeconds[runs - 1] as number) > longest) runs--;
    pairs += runs;
  }
  return pairs / (starts.length * (quantileSeconds.length + 1));
}

/** What an option comes to, as far as its caller may limit it. */
export interface LimitedOption {
  readonly site: Pick<CandidateSite, 'name'>;
  readonly charge: ChargeForecast;
  readonly risk: number | null;
}

/** Which of its caller's limits an option does not keep to, and by how much; null where it keeps to all of them. */
export function findBreach(terms: PlanTerms, option: LimitedOption): Ineligibility | null {
  return findDearer(terms, option) ?? riskier(terms, option);
}

/** Whether an option may be charged more than its caller pays, and how much; null where it may not. */
export function findDearer(
  { maxChargeProcessorSeconds }: PlanTerms,
  { site, charge }: Omit<LimitedOption, 'risk'>,
): Ineligibility | null {
  const { worst } = expectedAndWorst(charge);
  if (maxChargeProcessorSeconds === null || maxChargeProcessorSeconds === undefined) return null;
  if (worst <= maxChargeProcessorSeconds) return null;
  const explanation = `${Math.round(worst)} processor-seconds may be charged at ${site.name}, maxChargeProcessorSeconds allows ${maxChargeProcessorSeconds}`;
  return { reason: 'CHARGE_BEYOND_LIMIT', explanation };
}

function riskier({ maxRisk }: PlanTerms, { site, risk }: LimitedOption): Ineligibility | null {
  if (maxRisk === null || maxRisk === undefined) return null;
  if (risk === null) {
    const explanation = `too little is known of such jobs at ${site.name} to tell their risk, maxRisk allows ${percentOf(maxRisk)}`;
    return { reason: 'RISK_BEYOND_LIMIT', explanation };
  }
  if (risk <= maxRisk + ROUNDING) return null;
  const explanation = `at ${site.name} it fails to end in its time with a risk of ${percentOf(risk)}, maxRisk allows ${percentOf(maxRisk)}`;
  return { reason: 'RISK_BEYOND_LIMIT', explanation };
}

/** The tags of a request that a site does not bear; null where it bears all of them. */
export function missingTag(
  { requiredTags = [] }: PlanTerms,
  { name, tags = [] }: Pick<CandidateSite, 'name' | 'tags'>,
): Ineligibility | null {
  const missing = requiredTags.filter((tag) => !tags.includes(tag));
  if (missing.length === 0) return null;
  const has = tags.length === 0 ? 'it has none' : `it has ${tags.join(', ')}`;
  return { reason: 'MISSING_TAG', explanation: `${name} lacks the tag ${missing.join(', ')}; ${has}` };
}

/** Share of its walltime from which on a job counts as killed by it; sites are not exact to a percent of it. */
const REACHED = 0.99;
/** Of sums of percentiles. */
const ROUNDING = 1e-9;
