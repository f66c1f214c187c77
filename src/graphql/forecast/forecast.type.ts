import { Arg, Field, Float, Int, InterfaceType } from 'type-graphql';
import {
  probabilityToStartWithin,
  relativePointSeconds,
  secondsAtProbability,
  type WaitForecast,
} from '../../domain/forecast.ts';
import { finiteOrNull, toMoment } from '../shared/moments.ts';
import { assertProbability, PROBABILITY } from '../shared/probability.ts';
import { DateTime } from '../shared/scalars.ts';

/** What forecasts of every quantity have in common. */
export type Forecasted = Pick<
  WaitForecast,
  'predictor' | 'version' | 'madeAt' | 'observedAt' | 'sampleSize' | 'pointSeconds' | 'quantileSeconds'
>;

@InterfaceType({
  description: 'What is predicted of a job, in seconds, with its spread, and how old the facts are that it rests on.',
  resolveType: ({ quantity }: Forecast) => quantity,
})
export abstract class Forecast {
  /** Name of its type. */
  abstract readonly quantity: 'WaitForecast' | 'RuntimeForecast';

  constructor(
    protected readonly made: Forecasted,
    private readonly staleAfterSeconds: number,
  ) {}

  @Field(() => String, { description: 'Family and method, for example wait/qbets or runtime/gridcast.' })
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

  @Field(() => Float, { description: 'How old that fact was when the forecast was made.' })
  get ageSeconds(): number {
    return Math.max(0, this.made.madeAt - this.made.observedAt);
  }

  @Field(() => Boolean, { description: 'Whether the facts were too old to promise anything on.' })
  get stale(): boolean {
    return this.ageSeconds > this.staleAfterSeconds;
  }

  @Field(() => Int, { description: 'How many known waits, or runtimes, it rests on.' })
  get sampleSize(): number {
    return this.made.sampleSize;
  }

  @Field(() => Float, { nullable: true, description: 'The most likely one in one number; null while it is not known.' })
  get pointSeconds(): number | null {
    return finiteOrNull(this.made.pointSeconds);
  }

  @Field(() => Float, {
    nullable: true,
    description:
      'The one number that is least wrong relatively, as |said - true| over the larger of both; null while it is not known.',
  })
  get relativePointSeconds(): number | null {
    return finiteOrNull(relativePointSeconds(this.made));
  }

  @Field(() => Float, {
    nullable: true,
    description: 'What is not exceeded with that probability; null where history does not support the level.',
  })
  boundSeconds(
    @Arg('probability', () => Float, PROBABILITY)
    probability: number,
  ): number | null {
    assertProbability(probability);
    return finiteOrNull(secondsAtProbability(this.made, probability));
  }

  @Field(() => Float, { description: 'Probability, in whole percent, that it is at most that long.' })
  probabilityWithin(@Arg('seconds', () => Float, { description: 'How long it may be.' }) seconds: number): number {
    return probabilityToStartWithin(this.made, seconds);
  }
}
