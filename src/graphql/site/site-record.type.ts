import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { SizedWait as SizedWaitAnswer } from '../../commands/forecast-sizes.ts';
import type { ReliabilityPoint as ReliabilityRow, ScoreDay as ScoreDayRow } from '../../store/score-record.ts';
import type { SiteModelRow } from '../../store/site-owners.ts';
import { WaitForecast } from '../forecast/wait-forecast.type.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({ description: 'How long jobs of one size and walltime would wait at a site.' })
export class SizedWait {
  constructor(
    private readonly answer: SizedWaitAnswer,
    private readonly staleAfterSeconds: number,
  ) {}

  @Field(() => Int, { description: 'Processors they ask for.' })
  get processors(): number {
    return this.answer.processors;
  }

  @Field(() => Int, { description: 'Walltime they ask for.' })
  get walltimeSeconds(): number {
    return this.answer.walltimeSeconds;
  }

  @Field(() => WaitForecast, { nullable: true, description: 'The wait; null where the site could never run them.' })
  get forecast(): WaitForecast | null {
    const { forecast } = this.answer;
    return forecast && new WaitForecast(forecast, this.staleAfterSeconds);
  }

  @Field(() => String, { nullable: true, description: 'Why it could never; null beside a forecast.' })
  get explanation(): string | null {
    return this.answer.explanation;
  }
}

@ObjectType({ description: 'How often something came out within what was stated of it.' })
export class ReliabilityPoint {
  constructor(private readonly row: ReliabilityRow) {}

  @Field(() => String, { description: 'What was forecast: wait, runtime and so on; promise of promises.' })
  get quantity(): string {
    return this.row.quantity;
  }

  @Field(() => String, { description: 'Family and method of the predictor, or on which a promise rested.' })
  get predictor(): string {
    return this.row.predictor;
  }

  @Field(() => Float, {
    description: 'The probability that was stated; of promises the mean over those that are alike.',
  })
  get stated(): number {
    return this.row.stated;
  }

  @Field(() => Float, { description: 'The share that came out so: as much is due as was stated.' })
  get observed(): number {
    return this.row.observed;
  }

  @Field(() => Int, { description: 'How many forecasts or promises that rests on.' })
  get count(): number {
    return this.row.count;
  }
}

@ObjectType({ description: 'The scores of one day (UTC) of one predictor of one quantity at a site.' })
export class ScoreDay {
  constructor(private readonly row: ScoreDayRow) {}

  @Field(() => DateTime, { description: 'When the day begins.' })
  get startsAt(): Date {
    return toMoment(this.row.startsAt);
  }

  @Field(() => String, { description: 'What it forecasts.' })
  get quantity(): string {
    return this.row.quantity;
  }

  @Field(() => String, { description: 'Family and method.' })
  get predictor(): string {
    return this.row.predictor;
  }

  @Field(() => Int, { description: 'Point forecasts that were scored.' })
  get count(): number {
    return this.row.count;
  }

  @Field(() => Float, {
    nullable: true,
    description: "Mean absolute error of them, in the quantity's unit: seconds, bytes or processors. Null for none.",
  })
  get meanAbsoluteError(): number | null {
    return this.row.meanAbsoluteError;
  }

  @Field(() => Float, { nullable: true, description: 'Share of outcomes within the 95 % bound; 0.95 is due.' })
  get coverage95(): number | null {
    return this.row.coverage95;
  }

  @Field(() => Int, { description: 'Promises that rested on it and were decided.' })
  get promises(): number {
    return this.row.promises;
  }

  @Field(() => Float, { nullable: true, description: 'Mean probability of those promises.' })
  get promisedProbability(): number | null {
    return this.row.promisedProbability;
  }

  @Field(() => Float, { nullable: true, description: 'Share of them that were kept.' })
  get keptShare(): number | null {
    return this.row.keptShare;
  }
}

@ObjectType({ description: 'Who has learned a site. Lengths of time are of wall time, in which processes live.' })
export class SiteModel {
  constructor(private readonly row: SiteModelRow) {}

  @Field(() => Int, { nullable: true, description: 'Number of the process that owns the site; null for nobody.' })
  get ownerId(): number | null {
    return this.row.ownerId;
  }

  @Field(() => Float, { description: 'For how long that has been so.' })
  get ownedSeconds(): number {
    return this.row.ownedSeconds;
  }

  @Field(() => Float, { description: "CPU seconds that living through the site's past took." })
  get costSeconds(): number {
    return this.row.costSeconds;
  }

  @Field(() => Int, { description: 'Number of its newest checkpoint; 0 before the first.' })
  get checkpoint(): number {
    return this.row.checkpoint;
  }

  @Field(() => Float, { nullable: true, description: 'How long ago that was written; null before the first.' })
  get checkpointAgeSeconds(): number | null {
    return this.row.checkpointAgeSeconds;
  }

  @Field(() => String, { nullable: true, description: 'Why it could not be used; null where it could.' })
  get fault(): string | null {
    return this.row.fault;
  }
}
