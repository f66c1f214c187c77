import type { EpochSeconds } from '../../domain/clock.ts';
import type { WaitForecast } from '../../domain/forecast.ts';
import type { Candidate, CandidateSite, PlanRequest, PutOff } from '../../domain/plan.ts';
import { expectedCharge, withExpectedWork } from '../charge.ts';
import { putOff as putOffOf } from '../unusable.ts';
import { riskOf } from './caps.ts';
import type { Outcomes } from './compare.ts';
import { type ForecastOption, queueFor, requestAs, workCharge } from './options.ts';
import { sizeAt } from './size-at-site.ts';
import { describeSpread, finishOf } from './spread.ts';

/** A candidate of which it is not said yet whether it lost. */
export type Weighed = Omit<Candidate, 'lostBecause' | 'explanation'>;

/** An option that its site or its size keeps out: nothing of it is forecast. */
export function ruledOut(request: PlanRequest, option: ForecastOption): { candidate: Weighed; finish: null } {
  const { site, processors, walltimeSeconds, submitAt, runtime = null } = option;
  const asked = requestAs(option, request);
  const queue = queueFor(asked, site);
  const charge = withExpectedWork(
    workCharge(sizeAt(asked, queue, site).billedProcessors, walltimeSeconds),
    walltimeSeconds,
    runtime,
  );
  const candidate = {
    siteId: site.siteId,
    siteName: site.name,
    queue: queue?.name ?? null,
    isUsualQueue: queue?.name === queueFor(request, site)?.name,
    processors,
    walltimeSeconds,
    submitAt,
    charge,
    forecast: null,
    runtime,
    responseSeconds: null,
    putOff: null,
    costProcessorSeconds: expectedCharge(charge),
  };
  return { candidate, finish: null };
}

/** An option with what its forecast makes of it. */
export function weigh(
  request: PlanRequest,
  option: ForecastOption,
  now: EpochSeconds,
): { candidate: Weighed; finish: Outcomes | null } {
  const { site, submitAt, forecast } = option;
  const putOff = findPutOff(requestAs(option, request), site, forecast, submitAt);
  const spread = { ...option, putOff };
  const finish = finishOf(spread, now);
  const candidate = {
    ...ruledOut(request, option).candidate,
    forecast,
    responseSeconds: responseOf(option, putOff, now),
    putOff,
    finish: option.finish ?? null,
    risk: riskOf(spread, request, now),
    spread: describeSpread(spread, finish),
  };
  return { candidate, finish };
}

/** A wait that can be predicted is over no earlier than the windows that the job could not end before. */
function responseOf(
  { forecast, submitAt, walltimeSeconds }: ForecastOption,
  held: PutOff | null,
  now: EpochSeconds,
): number | null {
  if (forecast === null || !Number.isFinite(forecast.pointSeconds)) return null;
  const waitSeconds = held === null ? submitAt - now + forecast.pointSeconds : held.startAt - now;
  return waitSeconds + walltimeSeconds;
}

/**
 * What windows make of the start that is forecast for a request submitted then; of one that cannot be predicted, of a
 * start at once.
 */
export function findPutOff(
  request: PlanRequest,
  site: CandidateSite,
  forecast: WaitForecast | null,
  submitAt: EpochSeconds,
): PutOff | null {
  const wait = forecast?.pointSeconds ?? 0;
  const { processors, walltimeSeconds } = request;
  const size = { processors, walltimeSeconds, queue: queueFor(request, site)?.name ?? null };
  return putOffOf(size, site, submitAt + (Number.isFinite(wait) ? wait : 0));
}
