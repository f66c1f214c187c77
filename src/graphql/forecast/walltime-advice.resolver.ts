import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { assertMay } from '../../commands/carry-out/permissions.ts';
import { walltimeAdvice } from '../../commands/walltime-advice.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { listOfSites } from '../plan/plan.type.ts';
import { decodeIds } from '../shared/global-id.ts';
import { toProgramInput } from '../shared/program.input.ts';
import { toResources } from '../shared/resources.input.ts';
import { WalltimeAdviceInput } from './walltime-advice.input.ts';
import { SiteWalltimeAdvice } from './walltime-advice.type.ts';

@Resolver()
export class WalltimeAdviceResolver {
  @Query(() => [SiteWalltimeAdvice], {
    complexity: ({ childComplexity }) => listOfSites({ childComplexity: 60 + childComplexity }),
    description:
      'Which walltime to ask for, by site: at each risk of being killed the shortest that would do, by what is forecast of the runtime there, and the wait with it.',
  })
  async walltimeAdvice(
    @Arg('input', () => WalltimeAdviceInput, { description: 'The job.' }) input: WalltimeAdviceInput,
    @Ctx() context: ApiContext,
  ): Promise<SiteWalltimeAdvice[]> {
    const caller = callerOf(context);
    assertMay(caller, 'forecast');
    const { processors, walltimeSeconds = null, queue = null, user = null, siteIds, risks } = input;
    const ids = decodeIds(siteIds, 'Site', 'input.siteIds');
    const size = { processors, walltimeSeconds, queue, ...toResources(input.resources) };
    const job = { ...size, user, siteIds: ids, risks, ...toProgramInput(input) };
    const answers = await walltimeAdvice(context.commands, caller, job);
    return answers.map((answer) => new SiteWalltimeAdvice(answer, context.commands.limits.staleAfterSeconds));
  }
}
