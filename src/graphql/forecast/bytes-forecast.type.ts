import { Arg, Field, Float, Int, ObjectType } from 'type-graphql';
import type { CommandContext } from '../../commands/carry-out/context.ts';
import { forecastBytes } from '../../commands/forecast-bytes.ts';
import {
  type LiveBytesForecast,
  relativePointSeconds,
  valueAtProbability,
  type WaitQuery,
} from '../../domain/forecast.ts';
import type { IoBytes } from '../../domain/job-use.ts';
import { finiteOrNull, toMoment } from '../shared/moments.ts';
import { assertProbability, PROBABILITY } from '../shared/probability.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({
  description: 'How many bytes a job reads from file systems, or writes to them, from its start to its end.',
})
export class BytesForecast {
  constructor(private readonly made: LiveBytesForecast) {}

  @Field(() => String, { description: 'Family and method, for example io/gridcast.' })
  get predictor(): string {
    return this.made.predictor;
  }

  @Field(() => String, { description: 'Changes whenever the same history would give other forecasts.' })
  get version(): string {
    return this.made.version;
  }

  @Field(() => DateTime, { description: 'When it was made.' })
  get madeAt(): Date {
    return toMoment(this.made.madeAt);
  }

  @Field(() => DateTime, { description: 'Moment of the newest fact it rests on.' })
  get observedAt(): Date {
    return toMoment(this.made.observedAt);
  }

  @Field(() => Int, { description: 'How many jobs it rests on whose site told their bytes.' })
  get sampleSize(): number {
    return this.made.sampleSize;
  }

  @Field(() => Float, { nullable: true, description: 'The most likely one in one number; null while it is not known.' })
  get pointBytes(): number | null {
    return finiteOrNull(this.made.pointBytes);
  }

  @Field(() => Float, {
    nullable: true,
    description:
      'The one number that is least wrong relatively, as |said - true| over the larger of both; null while it is not known.',
  })
  get relativePointBytes(): number | null {
    return finiteOrNull(relativePointSeconds({ quantileSeconds: this.made.quantileBytes }));
  }

  @Field(() => Float, {
    nullable: true,
    description: 'What is not exceeded with that probability; null where history does not support the level.',
  })
  boundBytes(@Arg('probability', () => Float, PROBABILITY) probability: number): number | null {
    assertProbability(probability);
    return finiteOrNull(valueAtProbability(this.made.quantileBytes, probability));
  }
}

/** How many bytes a job would read, or write, at a site; null where nothing is known of that. */
export async function bytesOf(
  commands: CommandContext,
  siteId: string,
  query: WaitQuery,
  which: IoBytes,
): Promise<BytesForecast | null> {
  const made = await forecastBytes(commands, siteId, query, which);
  return made && new BytesForecast(made);
}
