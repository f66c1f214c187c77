import { Arg, Ctx, FieldResolver, Float, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { checkSite } from '../../commands/check-site.ts';
import { drainSite } from '../../commands/drain-site.ts';
import { registerSite } from '../../commands/register-site.ts';
import { removeSite } from '../../commands/remove-site.ts';
import { updateSite } from '../../commands/update-site.ts';
import { CallerError } from '../../domain/failures.ts';
import { findSiteByName, listSites } from '../../store/sites.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { listOfSites } from '../plan/plan.type.ts';
import { PredictorScore } from '../score/predictor-score.type.ts';
import { decodeId, fromGlobalId } from '../shared/global-id.ts';
import { answer } from '../shared/payload.ts';
import { sitePayload } from './answer-site.ts';
import { CheckSiteInput, DrainSiteInput, RegisterSiteInput, RemoveSiteInput, UpdateSiteInput } from './site.input.ts';
import { CheckSitePayload, SitePayload } from './site.payload.ts';
import { DownTime, Observation, PromiseRecord, Site } from './site.type.ts';
import { SiteCheck } from './site-check.type.ts';

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

  @Mutation(() => SitePayload, { complexity: 50, description: 'Registers a site. For admins.' })
  registerSite(
    @Arg('input', () => RegisterSiteInput, { description: 'The site.' }) input: RegisterSiteInput,
    @Ctx() context: ApiContext,
  ): Promise<SitePayload> {
    const caller = callerOf(context);
    const { name, adapter, configuration, idempotencyKey = null } = input;
    return answer(context, async () => {
      const command = { name, adapter, configuration, idempotencyKey };
      return sitePayload(context, await registerSite(context.commands, caller, command));
    });
  }

  @Mutation(() => SitePayload, {
    complexity: 50,
    description: 'Renames a site or changes how it is reached. For admins.',
  })
  updateSite(
    @Arg('input', () => UpdateSiteInput, { description: 'The change.' }) input: UpdateSiteInput,
    @Ctx() context: ApiContext,
  ): Promise<SitePayload> {
    const caller = callerOf(context);
    const { id, name = null, configuration = null, idempotencyKey = null } = input;
    return answer(context, async () => {
      const command = { siteId: decodeId(id, 'Site', 'input.id'), name, configuration, idempotencyKey };
      return sitePayload(context, await updateSite(context.commands, caller, command));
    });
  }

  @Mutation(() => CheckSitePayload, {
    complexity: 500,
    description:
      'Asks a site everything that is only read, and keeps nothing of it. The process that answers the API asks: where workers run on other machines, what it can reach may differ from what they can. For admins.',
  })
  checkSite(
    @Arg('input', () => CheckSiteInput, { description: 'What is to be checked.' }) input: CheckSiteInput,
    @Ctx() context: ApiContext,
  ): Promise<CheckSitePayload> {
    const caller = callerOf(context);
    const { id = null, adapter = null, configuration = null } = input;
    return answer(context, async () => {
      const siteId = id === null ? null : decodeId(id, 'Site', 'input.id');
      return { check: new SiteCheck(await checkSite(context.commands, caller, { siteId, adapter, configuration })) };
    });
  }

  @Mutation(() => SitePayload, {
    complexity: 50,
    description: 'Drains a site or takes it back into service. For admins.',
  })
  drainSite(
    @Arg('input', () => DrainSiteInput, { description: 'The site.' }) input: DrainSiteInput,
    @Ctx() context: ApiContext,
  ): Promise<SitePayload> {
    const caller = callerOf(context);
    const { id, drain, idempotencyKey = null } = input;
    return answer(context, async () => {
      const command = { siteId: decodeId(id, 'Site', 'input.id'), drain, idempotencyKey };
      return sitePayload(context, await drainSite(context.commands, caller, command));
    });
  }

  @Mutation(() => SitePayload, {
    complexity: 50,
    description:
      'Removes a site, at once or as soon as nothing of ours is there. What happened there stays. For admins.',
  })
  removeSite(
    @Arg('input', () => RemoveSiteInput, { description: 'The site.' }) input: RemoveSiteInput,
    @Ctx() context: ApiContext,
  ): Promise<SitePayload> {
    const caller = callerOf(context);
    const { id, endJobs, force, idempotencyKey = null } = input;
    return answer(context, async () => {
      const command = { siteId: decodeId(id, 'Site', 'input.id'), endJobs, force, idempotencyKey };
      return sitePayload(context, await removeSite(context.commands, caller, command));
    });
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
    complexity: ({ args, childComplexity }) => 1 + (Math.max(1, args.last) * childComplexity) / 10,
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
