import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { AdviceAtRisk, AdviceAtSite } from '../../commands/walltime-advice.ts';
import { type WaitForecast as DomainWait, secondsAtProbability } from '../../domain/forecast.ts';
import type { LossReason } from '../../domain/loss-reason.ts';
import { finiteOrNull } from '../shared/moments.ts';
import { LossReasonEnum } from '../shared/plan-enums.ts';
import { Site } from '../site/site.type.ts';
import { RuntimeForecast } from './runtime-forecast.type.ts';
import { WaitForecast } from './wait-forecast.type.ts';

@ObjectType({ description: 'Ask for this much: at that risk of being killed, and with that wait.' })
export class WalltimeAdvice {
  constructor(
    private readonly made: AdviceAtRisk,
    private readonly requestedWait: DomainWait | null,
    private readonly staleAfterSeconds: number,
  ) {}

  @Field(() => Float, { description: 'Probability of being killed that was asked about.' })
  get risk(): number {
    return this.made.risk;
  }

  @Field(() => Int, {
    nullable: true,
    description: 'The walltime to ask for, rounded up to a minute; null where too little is known.',
  })
  get walltimeSeconds(): number | null {
    return this.made.walltimeSeconds;
  }

  @Field(() => Float, {
    nullable: true,
    description:
      'Probability, in whole percent, that the job runs longer than that; above the risk where the queue, or the walltime asked for otherwise, allows less.',
  })
  get killedProbability(): number | null {
    return this.made.killedProbability;
  }

  @Field(() => String, { nullable: true, description: 'Why there is no advice, or why it risks more; null otherwise.' })
  get reason(): string | null {
    return this.made.because;
  }

  @Field(() => WaitForecast, { nullable: true, description: 'The wait with that walltime, submitted now.' })
  get wait(): WaitForecast | null {
    return this.made.wait && new WaitForecast(this.made.wait, this.staleAfterSeconds);
  }

  @Field(() => Float, {
    nullable: true,
    description:
      'By how much its median wait is shorter than with the requested walltime; null where one is not known.',
  })
  get medianWaitSavedSeconds(): number | null {
    if (!this.made.wait || !this.requestedWait) return null;
    return finiteOrNull(secondsAtProbability(this.requestedWait, 0.5) - secondsAtProbability(this.made.wait, 0.5));
  }
}

@ObjectType({ description: 'What one of several sites answers to the question which walltime would do.' })
export class SiteWalltimeAdvice {
  constructor(
    private readonly answer: AdviceAtSite,
    private readonly staleAfterSeconds: number,
  ) {}

  @Field(() => Site, { description: 'The site.' })
  get site(): Site {
    return new Site(this.answer.site);
  }

  @Field(() => RuntimeForecast, {
    nullable: true,
    description: 'What the advice rests on; null where the site could never run such a job.',
  })
  get runtime(): RuntimeForecast | null {
    return this.answer.runtime && new RuntimeForecast(this.answer.runtime, this.staleAfterSeconds);
  }

  @Field(() => WaitForecast, {
    nullable: true,
    description: 'The wait with the requested walltime; null without one, or where the queue does not allow it.',
  })
  get requestedWait(): WaitForecast | null {
    return this.answer.requestedWait && new WaitForecast(this.answer.requestedWait, this.staleAfterSeconds);
  }

  @Field(() => [WalltimeAdvice], {
    description: 'One for each risk, in their order; none where it could never run it.',
  })
  get advice(): WalltimeAdvice[] {
    const { advice, requestedWait } = this.answer;
    return advice.map((made) => new WalltimeAdvice(made, requestedWait, this.staleAfterSeconds));
  }

  @Field(() => LossReasonEnum, { nullable: true, description: 'Why it could never; null beside advice.' })
  get impossibleBecause(): LossReason | null {
    return this.answer.impossible?.reason ?? null;
  }

  @Field(() => String, { nullable: true, description: 'The same in a sentence with its figures.' })
  get explanation(): string | null {
    return this.answer.impossible?.explanation ?? null;
  }
}
