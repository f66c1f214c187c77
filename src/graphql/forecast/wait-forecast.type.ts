import { Arg, Field, Float, ObjectType } from 'type-graphql';
import { CallerError } from '../../domain/failures.ts';
import {
  atOnceProbability,
  type WaitForecast as DomainForecast,
  probabilityToStartWithin,
} from '../../domain/forecast.ts';
import type { PutOff as DomainPutOff } from '../../domain/plan.ts';
import { aboutWaitSeconds } from '../../plan/about-wait.ts';
import { finiteOrNull } from '../shared/moments.ts';
import { BytesForecast } from './bytes-forecast.type.ts';
import { Forecast } from './forecast.type.ts';
import type { OfTheJob } from './of-the-job.ts';
import { OutsideKnownRange } from './outside-known-range.type.ts';
import { PutOff } from './put-off.type.ts';
import { RuntimeForecast } from './runtime-forecast.type.ts';

@ObjectType({
  implements: Forecast,
  description: 'A predicted queue wait with its spread, and how old the facts are that it rests on.',
})
export class WaitForecast extends Forecast {
  readonly quantity = 'WaitForecast';

  constructor(
    private readonly forecast: DomainForecast,
    staleAfterSeconds: number,
    private readonly heldBack: DomainPutOff | null = null,
    private readonly ofTheJob: OfTheJob | null = null,
  ) {
    super(forecast, staleAfterSeconds);
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
      "How long the job would run once it starts, by the predictor of runtimes that decides. Null in a plan, which has it beside the candidate's wait.",
  })
  async runtime(): Promise<RuntimeForecast | null> {
    return this.ofTheJob?.runtime() ?? null;
  }

  @Field(() => BytesForecast, {
    nullable: true,
    complexity: 20,
    description: 'How many bytes the job would read; null where the site has told of no job, and in a plan.',
  })
  async readBytes(): Promise<BytesForecast | null> {
    return this.ofTheJob?.readBytes() ?? null;
  }

  @Field(() => BytesForecast, {
    nullable: true,
    complexity: 20,
    description: 'How many bytes the job would write; null where the site has told of no job, and in a plan.',
  })
  async writtenBytes(): Promise<BytesForecast | null> {
    return this.ofTheJob?.writtenBytes() ?? null;
  }

  @Field(() => Float, { description: 'Probability, in whole percent, that the job starts within a minute.' })
  get atOnceProbability(): number {
    return atOnceProbability(this.forecast);
  }

  @Field(() => Float, {
    nullable: true,
    description:
      'The wait to say as "about": the one that is least wrong for a job that then runs so long, as |said - true| over its wait and runtime. Null while it is not known.',
  })
  aboutSeconds(
    @Arg('runSeconds', () => Float, { defaultValue: 3600, description: 'How long the job is expected to run.' })
    runSeconds: number,
  ): number | null {
    assertRunSeconds(runSeconds);
    return finiteOrNull(aboutWaitSeconds(this.forecast, runSeconds));
  }

  @Field(() => Float, { description: 'Probability, in whole percent, that the wait is at most that long.' })
  probabilityToStartWithin(
    @Arg('seconds', () => Float, { description: 'How long it may wait.' }) seconds: number,
  ): number {
    return probabilityToStartWithin(this.forecast, seconds);
  }
}

function assertRunSeconds(runSeconds: number): void {
  if (runSeconds >= 0) return;
  throw new CallerError('INVALID', 'runSeconds', `runSeconds must be 0 or more, got ${runSeconds}`);
}
