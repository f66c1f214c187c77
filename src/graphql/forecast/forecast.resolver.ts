import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { forecastWait } from '../../commands/forecast-wait.ts';
import { assertMay } from '../../commands/permissions.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { decodeId } from '../shared/global-id.ts';
import { ForecastInput } from './forecast.input.ts';
import { WaitForecast } from './wait-forecast.type.ts';

@Resolver()
export class ForecastResolver {
  @Query(() => WaitForecast, {
    complexity: 20,
    description: 'How long a job would wait at a site if it were submitted now.',
  })
  async forecast(
    @Arg('siteId', () => ID, { description: 'The site.' }) siteId: string,
    @Arg('input', () => ForecastInput, { description: 'The job.' }) input: ForecastInput,
    @Ctx() context: ApiContext,
  ): Promise<WaitForecast> {
    assertMay(callerOf(context), 'forecast');
    const { processors, walltimeSeconds, queue = null, user = null, predictor = null } = input;
    const forecast = await forecastWait(context.commands, {
      siteId: decodeId(siteId, 'Site', 'siteId'),
      processors,
      walltimeSeconds,
      queue,
      user,
      predictor,
    });
    return new WaitForecast(forecast, context.commands.limits.staleAfterSeconds);
  }
}
