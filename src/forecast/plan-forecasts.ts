import type { QuantityForecast } from '../domain/forecast.ts';
import type { Plan } from '../domain/plan.ts';
import { keptRuntime, keptWait, RUNTIME, WAIT } from '../predict/quantities.ts';
import type { MadeForecast } from '../store/plans.ts';
import type { AskedOption } from './forecast-options.ts';
import type { Forecaster } from './forecaster.ts';

/** A plan and what its candidates were asked, in their order. */
export interface AskedPlan {
  readonly plan: Plan;
  readonly asked: readonly AskedOption[];
}

/** The waits and runtimes that a plan was made from, as they are kept. */
export function forecastsOf({ plan, asked }: AskedPlan): MadeForecast[] {
  const chosen = chosenOf({ plan, asked });
  return asked.flatMap((option) => {
    const { site, query, forecast, work, runtime, processors } = option;
    const made = { siteId: site.siteId, isOfChosen: option === chosen || option.site.siteId !== chosen?.site.siteId };
    const wait = forecast ? [{ ...made, query, forecast: keptWait(forecast) }] : [];
    const own = { ...work, processors };
    return runtime ? [...wait, { ...made, query: own, forecast: keptRuntime(runtime) }] : wait;
  });
}

function chosenOf({ plan, asked }: AskedPlan): AskedOption | null {
  return (plan.chosen && asked[plan.candidates.indexOf(plan.chosen)]) ?? null;
}

/**
 * What the predictors that do not decide say of the chosen site, and those of every other quantity, to be scored beside
 * the one that does. Nothing of a job that is held back: they speak of submissions now.
 */
export async function forecastsOfOthers(
  forecaster: Pick<Forecaster, 'forecastByAll'>,
  made: AskedPlan,
): Promise<MadeForecast[]> {
  const chosen = chosenOf(made);
  if (!chosen || made.plan.submitAt > made.plan.madeAt) return [];
  const { site, query, forecast: wait, runtime } = chosen;
  const all = await forecaster.forecastByAll(site.siteId, query);
  const isKept = ({ quantity, predictor }: QuantityForecast) =>
    (quantity === WAIT.name && predictor === wait?.predictor) ||
    (quantity === RUNTIME.name && predictor === runtime?.predictor);
  return all.filter((one) => !isKept(one)).map((forecast) => ({ siteId: site.siteId, query, forecast }));
}
