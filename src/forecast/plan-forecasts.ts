import type { QuantityForecast } from '../domain/forecast.ts';
import type { Plan } from '../domain/plan.ts';
import { keptRuntime, keptWait, RUNTIME, WAIT } from '../predict/quantities.ts';
import type { MadeForecast } from '../store/plans.ts';
import type { AskedOption } from './forecast-options.ts';
import type { Forecaster } from './forecaster.ts';

/** The waits and runtimes that a plan was made from, as they are kept. */
export function forecastsOf(asked: readonly AskedOption[]): MadeForecast[] {
  return asked.flatMap(({ site: { siteId }, query, forecast, work, runtime }) => [
    ...(forecast ? [{ siteId, query, forecast: keptWait(forecast) }] : []),
    { siteId, query: work, forecast: keptRuntime(runtime) },
  ]);
}

/**
 * What the predictors that do not decide say of the chosen site, and those of every other quantity, to be scored beside
 * the one that does.
 */
export async function forecastsOfOthers(
  forecaster: Pick<Forecaster, 'forecastByAll'>,
  { plan, asked }: { readonly plan: Plan; readonly asked: readonly AskedOption[] },
): Promise<MadeForecast[]> {
  const chosen = plan.chosen && asked[plan.candidates.indexOf(plan.chosen)];
  if (!chosen) return [];
  const { site, query, forecast: wait, runtime } = chosen;
  const all = await forecaster.forecastByAll(site.siteId, query);
  const isKept = ({ quantity, predictor }: QuantityForecast) =>
    (quantity === WAIT.name && predictor === wait?.predictor) ||
    (quantity === RUNTIME.name && predictor === runtime.predictor);
  return all.filter((made) => !isKept(made)).map((forecast) => ({ siteId: site.siteId, query, forecast }));
}
