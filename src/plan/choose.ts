import type { EpochSeconds } from '../domain/clock.ts';
import { formatExactSeconds } from '../domain/duration.ts';
import { outsideRemark } from '../domain/known-range.ts';
import type { CandidateSite, Plan, PlanRequest } from '../domain/plan.ts';
import { findUnpromised } from './deadline/option-finish.ts';
import { findBreach } from './job/caps.ts';
import { type JudgedOption, outdone, praise, untried } from './job/explain.ts';
import { gainScores } from './job/gain-score.ts';
import { findUnfit } from './job/ineligible.ts';
import { byObjective, scoreOf } from './job/objective.ts';
import type { ForecastOption } from './job/options.ts';
import { isMolded } from './job/sizes.ts';
import { ruledOut, weigh } from './job/weigh.ts';
import type { Ineligibility } from './unusable.ts';

/**
 * Chooses the eligible option within its caller's limits that is best at the objective, see `byObjective`; unless told
 * that with the smallest predicted response: the time until it is submitted, the wait's point and the walltime. A job
 * that may run at several sizes is compared by the gain score of its end over all of them in place of its response. One
 * without a finite forecast, or in an untried queue, is taken only when no other can be. Every option appears in the
 * answer, in the order given, the losers with a reason.
 * @param staleAfterSeconds age from which what is known of a site is not planned on
 */
export function choosePlan(
  request: PlanRequest,
  options: readonly ForecastOption[],
  now: EpochSeconds,
  staleAfterSeconds: number,
): Plan {
  const { objective = 'EARLIEST_FINISH' } = request;
  const order = byObjective(objective);
  const judged = withGains(
    request,
    options.map((option) => judge(request, option, now, staleAfterSeconds)),
  ).map(({ option, remarks }) => explained(request, option, remarks));
  const better = (a: JudgedOption, b: JudgedOption) =>
    Number(a.isUntried) - Number(b.isUntried) || order(a.candidate, b.candidate);
  const best = judged
    .filter(({ candidate }) => candidate.lostBecause === null)
    .reduce<JudgedOption | null>((a, b) => (a && better(a, b) <= 0 ? a : b), null);
  const winner = best?.candidate ?? null;
  return {
    madeAt: now,
    objective,
    chosen: winner,
    submitAt: winner?.submitAt ?? now,
    candidates: judged.map((option) => {
      const hasLost = best !== null && option !== best && option.candidate.lostBecause === null;
      if (!hasLost) return option.candidate;
      return option.isUntried ? untried(option.candidate) : outdone(objective, option, best);
    }),
  };
}

/** An option that is judged, and what is said of it beside if it is chosen. */
interface Remarked {
  readonly option: JudgedOption;
  readonly remarks: string;
}

/** An option's part in the plan before the winner is known. */
function judge(request: PlanRequest, asked: ForecastOption, now: EpochSeconds, staleAfterSeconds: number): Remarked {
  const { isUntried = false } = asked;
  // Nothing is promised on a queue of which next to nothing is known.
  const option = isUntried ? { ...asked, finish: null } : asked;
  const ineligibility = findUnfit(option, request, now, staleAfterSeconds);
  const { candidate, finish } = ineligibility ? ruledOut(request, option) : weigh(request, option, now);
  const responseSeconds = isUntried ? null : candidate.responseSeconds;
  const { charge, risk = null, putOff, forecast } = candidate;
  const loss =
    ineligibility ??
    findUnpromised(option, request) ??
    findLateness(request.deadlineAt, option.site, responseSeconds, now) ??
    findBreach(request, { site: option.site, charge, risk });
  const ownRemark = option.remark ? `; ${option.remark}` : '';
  const remarks = ownRemark + (putOff ? `; ${putOff.explanation}` : '') + outsideRemark(forecast?.outsideKnownRange);
  const explanation = loss?.explanation ?? '';
  const judged = { ...candidate, responseSeconds, lostBecause: loss?.reason ?? null, explanation };
  return { option: { candidate: judged, finish, isUntried }, remarks };
}

/** The same with the gain of each that can be taken, where a job may run at several sizes. */
function withGains(request: PlanRequest, judged: readonly Remarked[]): readonly Remarked[] {
  if (!isMolded(request)) return judged;
  const known = judged.filter(({ option: { candidate } }) => {
    return candidate.responseSeconds !== null && candidate.lostBecause === null;
  });
  const ends = known.map(({ option: { finish } }) => ({ quantileSeconds: Array.from(finish ?? []) }));
  const gains = new Map(gainScores(ends).map((gain, index) => [known[index], gain]));
  return judged.map((one) => {
    const candidate = { ...one.option.candidate, gainScore: gains.get(one) ?? null };
    return { ...one, option: { ...one.option, candidate } };
  });
}

/** The same with its score and why it is chosen, if it is. */
function explained(request: PlanRequest, option: JudgedOption, remarks: string): JudgedOption {
  const { objective = 'EARLIEST_FINISH' } = request;
  const { candidate } = option;
  const score = scoreOf(objective, candidate);
  const explanation = candidate.lostBecause === null ? praise(objective, candidate) + remarks : candidate.explanation;
  return { ...option, candidate: { ...candidate, score, explanation } };
}

function fromNow(seconds: number): string {
  const length = formatExactSeconds(Math.round(Math.abs(seconds)));
  return seconds < 0 ? `passed ${length} ago` : `is in ${length}`;
}

function findLateness(
  deadlineAt: EpochSeconds | null,
  site: CandidateSite,
  responseSeconds: number | null,
  now: EpochSeconds,
): Ineligibility | null {
  if (deadlineAt === null) return null;
  if (responseSeconds !== null && responseSeconds <= deadlineAt - now) return null;
  const predicted =
    responseSeconds === null
      ? 'cannot be predicted yet'
      : `is predicted ${formatExactSeconds(Math.round(responseSeconds))} from now`;
  return {
    reason: 'MISSES_DEADLINE',
    explanation: `the end at ${site.name} ${predicted}, the deadline ${fromNow(deadlineAt - now)}`,
  };
}
