import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { forecastSizes } from '../../commands/forecast-sizes.ts';
import { CallerError } from '../../domain/failures.ts';
import { listScoreDays, MOST_SCORES, readReliability } from '../../store/score-record.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { Site } from './site.type.ts';
import { ReliabilityPoint, ScoreDay, SiteModel, SizedWait } from './site-record.type.ts';

const MOST_DAYS = 92;
const DAY_SECONDS = 86_400;

/** What is known of how a site does, in more detail than its score card. */
@Resolver(() => Site)
export class SiteRecordResolver {
  @FieldResolver(() => [SizedWait], {
    complexity: ({ args: { processors, walltimeSeconds }, childComplexity }) =>
      10 + processors.length * walltimeSeconds.length * (5 + childComplexity),
    description:
      "How long jobs of each of these sizes with each of these walltimes would wait in its default queue if they were submitted now. None of a removed site's.",
  })
  async waitsBySize(
    @Root() { row }: Site,
    @Arg('processors', () => [Int], { description: 'Sizes, 8 at most.' }) processors: number[],
    @Arg('walltimeSeconds', () => [Int], { description: 'Walltimes, 8 at most.' }) walltimeSeconds: number[],
    @Ctx() context: ApiContext,
  ): Promise<SizedWait[]> {
    const { commands } = context;
    const answers = await forecastSizes(commands, callerOf(context), row.id, { processors, walltimeSeconds });
    return answers.map((answer) => new SizedWait(answer, commands.limits.staleAfterSeconds));
  }

  @FieldResolver(() => [ReliabilityPoint], {
    complexity: ({ childComplexity }) => 50 + 50 * childComplexity,
    description: `How reliable its newest forecasts and promises have been, ${MOST_SCORES} of each predictor at most: of forecasts at the percentiles that they state, of promises in spans of what was promised.`,
  })
  async reliability(@Root() { row }: Site, @Ctx() { commands }: ApiContext): Promise<ReliabilityPoint[]> {
    return (await readReliability(commands.database.db, row.id)).map((point) => new ReliabilityPoint(point));
  }

  @FieldResolver(() => [ScoreDay], {
    complexity: ({ args: { days }, childComplexity }) => 50 + Math.max(1, days) * childComplexity,
    description: 'How its predictors have done day by day, oldest first.',
  })
  async scoreDays(
    @Root() { row }: Site,
    @Arg('days', () => Int, { defaultValue: 30, description: `How many days back, at most ${MOST_DAYS}.` })
    days: number,
    @Ctx() { commands: { database, clock } }: ApiContext,
  ): Promise<ScoreDay[]> {
    if (days < 1 || days > MOST_DAYS) {
      throw new CallerError('INVALID', 'days', `days must lie between 1 and ${MOST_DAYS}, got ${days}`);
    }
    const rows = await listScoreDays(database.db, row.id, clock.now() - days * DAY_SECONDS);
    return rows.map((scores) => new ScoreDay(scores));
  }

  @FieldResolver(() => SiteModel, {
    nullable: true,
    complexity: 5,
    description: 'Who has learned it, and how old that is. For admins; null for others, and where nobody ever did.',
  })
  async model(@Root() { row }: Site, @Ctx() context: ApiContext): Promise<SiteModel | null> {
    if (callerOf(context).role !== 'ADMIN') return null;
    const model = await context.loaders.modelOf.load(row.id);
    return model && new SiteModel(model);
  }
}
