import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { PredictorScore as Score } from '../../store/score-card.ts';

@ObjectType({
  description: 'How a predictor has done at a site so far: every forecast and promise beside what happened.',
})
export class PredictorScore {
  constructor(readonly score: Score) {}

  @Field(() => String, { description: 'What it forecasts: wait, runtime, read-bytes, written-bytes, load.' })
  get quantity(): string {
    return this.score.quantity;
  }

  @Field(() => String, { description: 'Family and method, for example wait/qbets.' })
  get predictor(): string {
    return this.score.predictor;
  }

  @Field(() => Int, {
    description: 'Jobs whose forecasts were scored, of runtimes those that completed; of load the hours.',
  })
  get count(): number {
    return this.score.count;
  }

  @Field(() => Float, {
    nullable: true,
    description: 'Mean absolute error of its point forecasts; null for what is not forecast in seconds.',
  })
  get meanAbsoluteErrorSeconds(): number | null {
    return this.score.meanAbsoluteErrorSeconds;
  }

  @Field(() => Float, {
    nullable: true,
    description: 'The same of load, in processors asked for in an hour; null for what is forecast in seconds.',
  })
  get meanAbsoluteErrorProcessors(): number | null {
    return this.score.meanAbsoluteErrorProcessors;
  }

  @Field(() => Float, { nullable: true, description: 'The same of bytes read and written; null for everything else.' })
  get meanAbsoluteErrorBytes(): number | null {
    return this.score.meanAbsoluteErrorBytes;
  }

  @Field(() => Float, {
    nullable: true,
    description: 'Share of outcomes that did not exceed its 95 % bound; 0.95 is due.',
  })
  get coverage95(): number | null {
    return this.score.coverage95;
  }

  @Field(() => Int, { description: 'Promises that rested on it and were decided.' })
  get promises(): number {
    return this.score.promises;
  }

  @Field(() => Float, { nullable: true, description: 'Mean probability of those promises.' })
  get promisedProbability(): number | null {
    return this.score.promisedProbability;
  }

  @Field(() => Float, { nullable: true, description: 'Share of them that were kept.' })
  get keptShare(): number | null {
    return this.score.keptShare;
  }

  @Field(() => Float, { nullable: true, description: 'Mean squared difference of promised probability and outcome.' })
  get brierScore(): number | null {
    return this.score.brierScore;
  }

  @Field(() => Int, { description: 'Promises to finish by a deadline that rested on it and were put to the test.' })
  get deadlines(): number {
    return this.score.deadlines;
  }

  @Field(() => Float, { nullable: true, description: 'Mean probability of those promises.' })
  get promisedDeadlineProbability(): number | null {
    return this.score.promisedDeadlineProbability;
  }

  @Field(() => Float, { nullable: true, description: 'Share of them that were kept.' })
  get deadlineKeptShare(): number | null {
    return this.score.deadlineKeptShare;
  }

  @Field(() => Int, {
    description: 'Automatic walltimes that it advised and that were put to the test: the job completed, or was killed.',
  })
  get walltimes(): number {
    return this.score.walltimes;
  }

  @Field(() => Float, { nullable: true, description: 'Mean risk of being killed that was accepted of them.' })
  get acceptedRisk(): number | null {
    return this.score.acceptedRisk;
  }

  @Field(() => Float, { nullable: true, description: 'Share of them that killed their job (TIMEOUT).' })
  get killedShare(): number | null {
    return this.score.killedShare;
  }
}
