import { Arg, Field, Float, Int, ObjectType } from 'type-graphql';
import { type WaitForecast as DomainForecast, probabilityToStartWithin } from '../../domain/forecast.ts';
import type { PutOff as DomainPutOff } from '../../domain/plan.ts';
import { finiteOrNull, toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';
import { boundSecondsOf } from './bound-seconds.ts';
import { OutsideKnownRange } from './outside-known-range.type.ts';
import { PutOff } from './put-off.type.ts';
import { RuntimeForecast } from './runtime-forecast.type.ts';

@ObjectType({ description: 'A predicted queue wait with its spread, and how old the facts are that it rests on.' })
export class WaitForecast {
  constructor(
    private readonly forecast: DomainForecast,
    private readonly staleAfterSeconds: number,
    private readonly heldBack: DomainPutOff | null = null,
    private readonly askRuntime: (() => Promise<RuntimeForecast>) | null = null,
  ) {}

  @Field(() => String, { description: 'Family and method, for example wait/qbets.' })
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

  @Field(() => DateTime, { description: 'Moment of the newest fact it rests on.' })
  get observedAt(): Date {
    return toMoment(this.forecast.observedAt);
  }

  @Field(() => Float, { description: 'How old that fact was when the forecast was made.' })
  get ageSeconds(): number {
    return Math.max(0, this.forecast.madeAt - this.forecast.observedAt);
  }

  @Field(() => Boolean, { description: 'Whether the facts were too old to promise anything on.' })
  get stale(): boolean {
    return this.ageSeconds > this.staleAfterSeconds;
  }

  @Field(() => OutsideKnownRange, {
    nullable: true,
    description:
      'How the site is outside the range that was learned from; null when it is within, or nobody watches that.',
  })
  get outsideKnownRange(): OutsideKnownRange | null {
    const outside = this.forecast.outsideKnownRange;
    return outside ? new OutsideKnownRange(outside) : null;
  }

  @Field(() => PutOff, {
    nullable: true,
    description:
      'The maintenance that would put off a job that starts after the most likely wait, which is of the queue alone. Null when none is in the way.',
  })
  get putOff(): PutOff | null {
    return this.heldBack && new PutOff(this.heldBack);
  }

  @Field(() => RuntimeForecast, {
    nullable: true,
    complexity: 20,
    description:
      'How long the job would run once it starts, by the predictor of runtimes that decides. Null in a plan, which rests on waits alone.',
  })
  async runtime(): Promise<RuntimeForecast | null> {
    return this.askRuntime?.() ?? null;
  }

  @Field(() => Int, { description: 'How many known waits it rests on.' })
  get sampleSize(): number {
    return this.forecast.sampleSize;
  }

  @Field(() => Float, {
    nullable: true,
    description: 'The most likely wait in one number; null while it is not known.',
  })
  get pointSeconds(): number | null {
    return finiteOrNull(this.forecast.pointSeconds);
  }

  @Field(() => Float, {
    nullable: true,
    description: 'The wait that is not exceeded with that probability; null where history does not support the level.',
  })
  boundSeconds(
    @Arg('probability', () => Float, { defaultValue: 0.95, description: 'Between 0 and 1, both excluded.' })
    probability: number,
  ): number | null {
    return boundSecondsOf(this.forecast, probability);
  }

  @Field(() => Float, { description: 'Probability, in whole percent, that the wait is at most that long.' })
  probabilityToStartWithin(
    @Arg('seconds', () => Float, { description: 'How long it may wait.' }) seconds: number,
  ): number {
    return probabilityToStartWithin(this.forecast, seconds);
  }
}
