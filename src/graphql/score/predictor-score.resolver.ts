import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { assertMay } from '../../commands/carry-out/permissions.ts';
import { invariant } from '../../domain/failures.ts';
import { readScoreCard } from '../../store/score-card.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { listOfSites } from '../plan/plan.type.ts';
import { decodeId } from '../shared/global-id.ts';
import { Site } from '../site/site.type.ts';
import { PredictorScore } from './predictor-score.type.ts';

@Resolver(() => PredictorScore)
export class PredictorScoreResolver {
  @Query(() => [PredictorScore], {
    complexity: listOfSites,
    description: 'The score card per site, quantity and predictor; every site when none is named.',
  })
  async predictorScores(
    @Arg('siteId', () => ID, { nullable: true, description: 'The site.' }) siteId: string | null,
    @Ctx() context: ApiContext,
  ): Promise<PredictorScore[]> {
    assertMay(callerOf(context), 'predictorScores');
    const id = siteId == null ? null : decodeId(siteId, 'Site', 'siteId');
    return (await readScoreCard(context.commands.database.db, id)).map((score) => new PredictorScore(score));
  }

  @FieldResolver(() => Site, { description: 'The site.' })
  async site(@Root() { score }: PredictorScore, @Ctx() { loaders }: ApiContext): Promise<Site> {
    const row = await loaders.site.load(score.siteId);
    invariant(row, `a score names the unknown site ${score.siteId}`);
    return new Site(row);
  }
}
