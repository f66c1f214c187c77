import { Arg, Ctx, FieldResolver, Float, ID, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import { forecastIo } from '../../commands/forecast-io.ts';
import { forecastLoad } from '../../commands/forecast-load.ts';
import { CallerError, invariant } from '../../domain/failures.ts';
import { findSiteByName, listSites } from '../../store/sites.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { listOfSites } from '../plan/plan.type.ts';
import { PredictorScore } from '../score/predictor-score.type.ts';
import { fromGlobalId } from '../shared/global-id.ts';
import { followChanges } from '../shared/subscriptions.ts';
import { IoForecast } from './io-forecast.type.ts';
import { LoadForecast } from './load-forecast.type.ts';
import { Observation, PromiseRecord, Site } from './site.type.ts';
import { DownTime } from './site-health.type.ts';

const MOST_OBSERVATIONS = 1000;

@Resolver(() => Site)
export class SiteResolver {
  @Query(() => [Site], { complexity: listOfSites, description: 'Every site of the deployment, by name.' })
  async sites(@Ctx() context: ApiContext): Promise<Site[]> {
    callerOf(context);
    return (await listSites(context.commands.database.db)).map((row) => new Site(row));
  }

  @Query(() => Site, { nullable: true, description: 'One site, by its global id or its name.' })
  async site(
    @Arg('id', () => ID, { nullable: true, description: 'Global id.' }) id: string | null,
    @Arg('name', () => String, { nullable: true, description: 'Name.' }) name: string | null,
    @Ctx() context: ApiContext,
  ): Promise<Site | null> {
    callerOf(context);
    const given = [id, name].filter((value) => value !== null && value !== undefined);
    if (given.length !== 1) throw new CallerError('INVALID', 'id', 'give either id or name');
    const row = name
      ? await findSiteByName(context.commands.database.db, name)
      : await loadByGlobalId(context, id ?? '');
    return row && new Site(row);
  }

  @Subscription(() => Site, {
    subscribe: followChanges('Site', 'SITE'),
    description:
      'A site, each time it was observed or changed otherwise; with an id at once and from then on until it is removed, which is told once. Every site without one.',
  })
  async siteChanged(
    @Root() changedId: string,
    @Arg('id', () => ID, { nullable: true, description: 'Global id.' }) _id: string | null,
    @Ctx() context: ApiContext,
  ): Promise<Site> {
    const row = await context.loaders.site.load(changedId);
    invariant(row, `site ${changedId} changed and is gone`);
    return new Site(row);
  }

  @FieldResolver(() => Float, { nullable: true, description: 'How long ago it was observed.' })
  ageSeconds(@Root() { row }: Site, @Ctx() { commands }: ApiContext): number | null {
    return row.observedAt === null ? null : Math.max(0, commands.clock.now() - row.observedAt);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether that is too long ago to promise anything on, or never happened.',
  })
  stale(@Root() { row }: Site, @Ctx() { commands }: ApiContext): boolean {
    return row.observedAt === null || commands.clock.now() - row.observedAt > commands.limits.staleAfterSeconds;
  }

  @FieldResolver(() => DownTime, {
    nullable: true,
    description: 'What the down-time detector makes of it, with its evidence. For admins; null for others.',
  })
  downTime(@Root() { row }: Site, @Ctx() context: ApiContext): DownTime | null {
    return callerOf(context).role === 'ADMIN' ? new DownTime(row) : null;
  }

  @FieldResolver(() => LoadForecast, {
    nullable: true,
    complexity: ({ childComplexity }) => 20 + 4 * childComplexity,
    description:
      'Processors that the jobs arriving in the next hours will ask for. For admins; null for others, and of a removed site.',
  })
  async loadForecast(
    @Root() { row }: Site,
    @Arg('hours', () => Int, {
      defaultValue: 24,
      description: 'How far ahead: a week at most, a day in slots of 300 s.',
    })
    hours: number,
    @Arg('slotSeconds', () => Int, { defaultValue: 3600, description: 'Length of a slot: 3600 or 300.' })
    slotSeconds: number,
    @Ctx() context: ApiContext,
  ): Promise<LoadForecast | null> {
    if (callerOf(context).role !== 'ADMIN' || row.removedAt !== null) return null;
    return new LoadForecast(await forecastLoad(context.commands, row.id, { hours, slotSeconds }));
  }

  @FieldResolver(() => IoForecast, {
    nullable: true,
    complexity: ({ childComplexity }) => 50 + 10 * childComplexity,
    description:
      "What its jobs will read and write in the next hours. For admins; null for others, of a removed site, and where the site tells nobody's bytes.",
  })
  async ioForecast(
    @Root() { row }: Site,
    @Arg('hours', () => Int, { defaultValue: 6, description: 'How far ahead: a day at most.' }) hours: number,
    @Ctx() context: ApiContext,
  ): Promise<IoForecast | null> {
    if (callerOf(context).role !== 'ADMIN' || row.removedAt !== null) return null;
    const forecast = await forecastIo(context.commands, row.id, hours);
    return forecast && new IoForecast(forecast, context.commands.clock.now());
  }

  @FieldResolver(() => Int, { nullable: true, description: 'Processors that no job held when it was observed.' })
  async freeProcessors(@Root() site: Site, @Ctx() context: ApiContext): Promise<number | null> {
    return (await newestObservation(site, context))?.freeProcessors ?? null;
  }

  @FieldResolver(() => Int, { nullable: true, description: 'Jobs in its queue then.' })
  async waitingJobs(@Root() site: Site, @Ctx() context: ApiContext): Promise<number | null> {
    return (await newestObservation(site, context))?.waitingJobs ?? null;
  }

  @FieldResolver(() => Int, { nullable: true, description: 'Jobs that held processors then.' })
  async runningJobs(@Root() site: Site, @Ctx() context: ApiContext): Promise<number | null> {
    return (await newestObservation(site, context))?.runningJobs ?? null;
  }

  @FieldResolver(() => Int, { complexity: 5, description: 'Records of its history that forecasts rest on.' })
  records(@Root() { row }: Site, @Ctx() { loaders }: ApiContext): Promise<number> {
    return loaders.recordCountOf.load(row.id);
  }

  @FieldResolver(() => Boolean, {
    complexity: 5,
    description:
      'Whether its past is still being lived through, after a start or an import; forecasts rest on waits alone meanwhile.',
  })
  async learning(@Root() { row }: Site, @Ctx() { commands }: ApiContext): Promise<boolean> {
    return (await commands.forecaster.stateOf(row.id)).isLearning;
  }

  @FieldResolver(() => [Observation], {
    complexity: ({ args, childComplexity, context }) =>
      1 + (Math.max(1, args.last) * childComplexity) / (context?.isRepeated ? 1 : 10),
    description: 'Its newest observations, oldest first.',
  })
  async observations(
    @Root() { row }: Site,
    @Arg('last', () => Int, { defaultValue: 20, description: `How many, at most ${MOST_OBSERVATIONS}.` }) last: number,
    @Ctx() { loaders }: ApiContext,
  ): Promise<Observation[]> {
    if (last < 1 || last > MOST_OBSERVATIONS) {
      const message = `last must lie between 1 and ${MOST_OBSERVATIONS}, got ${last}`;
      throw new CallerError('INVALID', 'last', message);
    }
    const rows = await loaders.observationsOf.load({ siteId: row.id, last });
    return rows.map((observation) => new Observation(observation));
  }

  @FieldResolver(() => [PredictorScore], {
    complexity: listOfSites,
    description: 'How its predictors have done so far.',
  })
  async scores(@Root() { row }: Site, @Ctx() { loaders }: ApiContext): Promise<PredictorScore[]> {
    return (await loaders.scoresOf.load(row.id)).map((score) => new PredictorScore(score));
  }

  @FieldResolver(() => PromiseRecord, { description: 'Promised against kept, over every decided reservation there.' })
  async promises(@Root() { row }: Site, @Ctx() { loaders }: ApiContext): Promise<PromiseRecord> {
    return (await loaders.promisesOf.load(row.id)) ?? { decided: 0, kept: 0, promised: null };
  }
}

function loadByGlobalId({ loaders }: ApiContext, globalId: string) {
  const decoded = fromGlobalId(globalId);
  return decoded?.type === 'Site' ? loaders.site.load(decoded.id) : null;
}

async function newestObservation({ row }: Site, { loaders }: ApiContext) {
  const [newest] = await loaders.observationsOf.load({ siteId: row.id, last: 1 });
  return newest ?? null;
}
