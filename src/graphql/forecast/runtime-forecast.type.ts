import { Arg, Field, Float, Int, ObjectType } from 'type-graphql';
import type { CommandContext } from '../../commands/carry-out/context.ts';
import { forecastRuntime } from '../../commands/forecast-wait.ts';
import type { RuntimeForecast as DomainForecast, WaitQuery } from '../../domain/forecast.ts';
import { finiteOrNull, toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';
import { boundSecondsOf } from './bound-seconds.ts';

@ObjectType({ description: 'A predicted runtime of a job that completes, with its spread.' })
export class RuntimeForecast {
  constructor(private readonly forecast: DomainForecast) {}

  @Field(() => String, { description: 'Family and method, for example runtime/recent-use.' })
  get predictor(): string {
    return this.forecast.predictor;
  }

  @Field(() => String, { description: 'Changes whenever the same history would give other forecasts.' })
  get version(): string {
    return this.forecast.version;
  }

  @Field(() => DateTime, { description: 'When it was made.' })
  get madeAt(): Date {
    return toMoment(this.forecast.madeAt);
  }

  @Field(() => Int, { description: 'How many known runtimes it rests on.' })
  get sampleSize(): number {
    return this.forecast.sampleSize;
  }

  @Field(() => Float, {
    nullable: true,
    description: 'The most likely runtime in one number; null while it is not known.',
  })
  get pointSeconds(): number | null {
    return finiteOrNull(this.forecast.pointSeconds);
  }

  @Field(() => Float, {
    nullable: true,
    description:
      'The runtime that is not exceeded with that probability; null where history does not support the level.',
  })
  boundSeconds(
    @Arg('probability', () => Float, { defaultValue: 0.95, description: 'Between 0 and 1, both excluded.' })
    probability: number,
  ): number | null {
    return boundSecondsOf(this.forecast, probability);
  }
}

/** How long a job would run at a site. */
export async function runtimeOf(commands: CommandContext, siteId: string, query: WaitQuery): Promise<RuntimeForecast> {
  return new RuntimeForecast(await forecastRuntime(commands, siteId, query));
}
