import { ObjectType } from 'type-graphql';
import type { CommandContext } from '../../commands/carry-out/context.ts';
import { forecastRuntime } from '../../commands/forecast-runtime.ts';
import type { WaitQuery } from '../../domain/forecast.ts';
import { Forecast } from './forecast.type.ts';

@ObjectType({
  implements: Forecast,
  description:
    'How long a job runs that completes, without what it holds its processors for. Of a job that runs already it is the whole runtime, given how long it has run.',
})
export class RuntimeForecast extends Forecast {
  readonly quantity = 'RuntimeForecast';
}

/** How long a job would run at a site. */
export async function runtimeOf(commands: CommandContext, siteId: string, query: WaitQuery): Promise<RuntimeForecast> {
  return new RuntimeForecast(await forecastRuntime(commands, siteId, query), commands.limits.staleAfterSeconds);
}
