import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { assertMay } from '../../commands/carry-out/permissions.ts';
import { dryRunPlan } from '../../commands/dry-run-plan.ts';
import { invariant } from '../../domain/failures.ts';
import type { ForecastRow, StoredCandidate } from '../../store/plans.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { directivesOf } from '../directive/script-directive.type.ts';
import { RuntimeForecast } from '../forecast/runtime-forecast.type.ts';
import { WaitForecast } from '../forecast/wait-forecast.type.ts';
import { Site } from '../site/site.type.ts';
import { FinishAtSize } from './finish-at-size.type.ts';
import { PlanInput, toPlanned } from './plan.input.ts';
import { Plan, PlanCandidate } from './plan.type.ts';
import { planCost } from './plan-cost.ts';

@Resolver()
export class PlanResolver {
  @Query(() => Plan, { complexity: planCost, description: 'Where a job would go and why, without running it.' })
  async plan(
    @Arg('input', () => PlanInput, { description: 'The job.' }) input: PlanInput,
    @Ctx() context: ApiContext,
  ): Promise<Plan> {
    const caller = callerOf(context);
    assertMay(caller, 'plan');
    const { plan, sites } = await dryRunPlan(context.commands, caller, toPlanned(input));
    for (const site of sites) context.loaders.site.prime(site.id, site);
    return new Plan(plan, directivesOf(input));
  }
}

@Resolver(() => FinishAtSize)
export class FinishAtSizeResolver {
  @FieldResolver(() => Site, { description: 'The site.' })
  site(@Root() { finish }: FinishAtSize, @Ctx() { loaders }: ApiContext): Promise<Site> {
    return siteOf(finish.siteId, loaders);
  }
}

/** The site that a plan names. */
async function siteOf(siteId: string, loaders: ApiContext['loaders']): Promise<Site> {
  const row = await loaders.site.load(siteId);
  invariant(row, `a plan names the unknown site ${siteId}`);
  return new Site(row);
}

@Resolver(() => PlanCandidate)
export class PlanCandidateResolver {
  @FieldResolver(() => Site, { description: 'The site.' })
  site(@Root() { candidate }: PlanCandidate, @Ctx() { loaders }: ApiContext): Promise<Site> {
    return siteOf(candidate.siteId, loaders);
  }

  @FieldResolver(() => WaitForecast, {
    nullable: true,
    description: 'Its forecast as it was made; null when it was ruled out before.',
  })
  async forecast(
    @Root() { candidate, planId }: PlanCandidate,
    @Ctx() { loaders, commands }: ApiContext,
  ): Promise<WaitForecast | null> {
    const made = candidate.forecast;
    if (!made) return null;
    const { staleAfterSeconds } = commands.limits;
    const { putOff = null } = candidate;
    if (planId === null) return new WaitForecast(made, staleAfterSeconds, putOff);
    const waits = (await loaders.forecastsOf.load(planId)).filter(
      ({ siteId, quantity, predictor }) =>
        siteId === candidate.siteId && quantity === 'wait' && predictor === made.predictor,
    );
    const stored = waits.find((wait) => isOfOption(wait, candidate)) ?? waits[0];
    const pointSeconds = made.pointSeconds ?? Number.POSITIVE_INFINITY;
    return new WaitForecast(
      { ...made, pointSeconds, quantileSeconds: stored?.percentiles ?? [] },
      staleAfterSeconds,
      putOff,
    );
  }

  @FieldResolver(() => RuntimeForecast, {
    nullable: true,
    description:
      'How long its work was expected to run, as it was made; of a walltime AUTO before that was chosen. Null where nobody was asked.',
  })
  async runtime(
    @Root() { candidate, planId }: PlanCandidate,
    @Ctx() { loaders, commands }: ApiContext,
  ): Promise<RuntimeForecast | null> {
    const { runtime } = candidate;
    if (!runtime) return null;
    const { staleAfterSeconds } = commands.limits;
    if (planId === null) return new RuntimeForecast(runtime, staleAfterSeconds);
    const runtimes = (await loaders.forecastsOf.load(planId)).filter(
      ({ siteId, quantity, predictor }) =>
        siteId === candidate.siteId && quantity === 'runtime' && predictor === runtime.predictor,
    );
    const stored = runtimes.find((one) => isOfSize(one, candidate)) ?? runtimes[0];
    const pointSeconds = runtime.pointSeconds ?? Number.POSITIVE_INFINITY;
    return new RuntimeForecast(
      { ...runtime, pointSeconds, quantileSeconds: stored?.percentiles ?? [] },
      staleAfterSeconds,
    );
  }
}

/** Whether a forecast is that of an option, where a site has several. */
function isOfOption(forecast: ForecastRow, option: StoredCandidate): boolean {
  const { submitAt = forecast.submitAt } = option;
  const isThen = Math.abs(forecast.submitAt - submitAt) < MILLISECOND;
  return isThen && isOfSize(forecast, option) && forecast.walltimeSeconds === option.walltimeSeconds;
}

/** The same of one that was made before the walltime was chosen. */
function isOfSize({ queue, processors }: ForecastRow, option: StoredCandidate): boolean {
  return queue === option.queue && processors === option.processors;
}

/** Moments are stored to that. */
const MILLISECOND = 0.001;
