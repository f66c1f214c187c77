import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { assertMay } from '../../commands/carry-out/permissions.ts';
import { forecastWait, forecastWaits } from '../../commands/forecast-wait.ts';
import type { ForecastInput as ForecastCommand } from '../../commands/input/forecast-input.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { listOfSites } from '../plan/plan.type.ts';
import { decodeId, decodeIds } from '../shared/global-id.ts';
import { toProgramInput } from '../shared/program.input.ts';
import { toResources } from '../shared/resources.input.ts';
import { ForecastInput } from './forecast.input.ts';
import { ofTheJob } from './of-the-job.ts';
import { SiteForecast } from './site-forecast.type.ts';
import { WaitForecast } from './wait-forecast.type.ts';

@Resolver()
export class ForecastResolver {
  @Query(() => WaitForecast, {
    complexity: 20,
    description:
      'How long a job would wait at a site if it were submitted now. An error when the site could never run it.',
  })
  async forecast(
    @Arg('siteId', () => ID, { description: 'The site.' }) siteId: string,
    @Arg('input', () => ForecastInput, { description: 'The job.' }) input: ForecastInput,
    @Ctx() context: ApiContext,
  ): Promise<WaitForecast> {
    const caller = callerOf(context);
    assertMay(caller, 'forecast');
    const id = decodeId(siteId, 'Site', 'siteId');
    const { commands } = context;
    const { forecast, query, putOff } = await forecastWait(commands, caller, id, commandOf(input));
    return new WaitForecast(forecast, commands.limits.staleAfterSeconds, putOff, ofTheJob(commands, id, query));
  }

  @Query(() => [SiteForecast], {
    complexity: ({ childComplexity }) => listOfSites({ childComplexity: 20 + childComplexity }),
    description:
      'The same for several sites, by name: each with its own answer, which is a reason where it could never run the job or has no such queue.',
  })
  async forecasts(
    @Arg('input', () => ForecastInput, { description: 'The job.' }) input: ForecastInput,
    @Arg('siteIds', () => [ID], { nullable: true, description: 'The sites; every site when absent. Never empty.' })
    siteIds: string[] | null,
    @Ctx() context: ApiContext,
  ): Promise<SiteForecast[]> {
    const caller = callerOf(context);
    assertMay(caller, 'forecast');
    const ids = decodeIds(siteIds, 'Site', 'siteIds');
    const answers = await forecastWaits(context.commands, caller, ids, commandOf(input));
    return answers.map((answer) => new SiteForecast(answer, context.commands));
  }
}

function commandOf(input: ForecastInput): ForecastCommand {
  const { processors, walltimeSeconds, queue = null, user = null, predictor = null } = input;
  const size = { processors, walltimeSeconds, ...toResources(input.resources), queue };
  return { ...size, user, predictor, ...toProgramInput(input) };
}
