import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { SizeFinish } from '../../plan/job/finish-by-size.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({ description: 'When a job is expected to end in the best way to run it at one size and site.' })
export class FinishAtSize {
  constructor(
    readonly finish: SizeFinish,
    private readonly madeAt: number,
  ) {}

  @Field(() => String, { nullable: true, description: 'Queue it would go to.' })
  get queue(): string | null {
    return this.finish.queue;
  }

  @Field(() => Int, { description: 'Its size.' })
  get processors(): number {
    return this.finish.processors;
  }

  @Field(() => Int, { description: 'Walltime it would ask for.' })
  get walltimeSeconds(): number {
    return this.finish.walltimeSeconds;
  }

  @Field(() => DateTime, { description: 'The middle of its forecast: as probably before it as after.' })
  get finishAt(): Date {
    return toMoment(this.madeAt + this.finish.finishSeconds);
  }

  @Field(() => DateTime, {
    nullable: true,
    description: 'It is over before that with 5 % probability; null beyond what history supports.',
  })
  get lowAt(): Date | null {
    return this.after(this.finish.lowSeconds);
  }

  @Field(() => DateTime, {
    nullable: true,
    description: 'It is over before that with 95 % probability; null beyond what history supports.',
  })
  get highAt(): Date | null {
    return this.after(this.finish.highSeconds);
  }

  @Field(() => Float, {
    description: 'Processor-seconds it is charged at its walltime, the padding that is expected included.',
  })
  get chargeProcessorSeconds(): number {
    return this.finish.chargeProcessorSeconds;
  }

  @Field(() => Boolean, { description: 'Whether the plan chose it.' })
  get isChosen(): boolean {
    return this.finish.isChosen;
  }

  private after(seconds: number | null): Date | null {
    return seconds === null ? null : toMoment(this.madeAt + seconds);
  }
}
