import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { TrajectoryPoint as Point } from '../../domain/plan.ts';
import type { ReservationMode, ReservationState } from '../../domain/reservation.ts';
import type { ReservationRow } from '../../store/reservations.ts';
import { connectionType } from '../shared/connection.ts';
import { MissPolicyEnum, ReservationModeEnum, ReservationStateEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { Node } from '../shared/node.type.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({ description: 'One candidate submission time of a reservation.' })
export class TrajectoryPoint {
  constructor(private readonly point: Point) {}

  @Field(() => DateTime, { description: 'When it would be submitted.' })
  get submitAt(): Date {
    return toMoment(this.point.submitAt);
  }

  @Field(() => Int, { description: "The caller's walltime plus the time still to be held." })
  get walltimeSeconds(): number {
    return this.point.walltimeSeconds;
  }

  @Field(() => Float, { description: 'Probability of running at the start time when submitted then.' })
  get probability(): number {
    return this.point.probability;
  }
}

/** What a trajectory costs: it is long, and its points are small. */
export function trajectoryComplexity({ childComplexity }: { childComplexity: number }): number {
  return 1 + 10 * childComplexity;
}

@ObjectType({
  implements: Node,
  description: 'A promise: a job running at `startAt` with at least the probability promised.',
})
export class Reservation extends Node {
  readonly nodeType = 'Reservation';

  constructor(readonly row: ReservationRow) {
    super(row.id);
  }

  @Field(() => ReservationStateEnum, { description: 'Where it is in its life.' })
  get state(): ReservationState {
    return this.row.state;
  }

  @Field(() => ReservationModeEnum, { description: 'What its job does when it starts early.' })
  get mode(): ReservationMode {
    return this.row.mode;
  }

  @Field(() => DateTime, { description: 'When the job must be running.' })
  get startAt(): Date {
    return toMoment(this.row.startAt);
  }

  @Field(() => DateTime, {
    nullable: true,
    description: 'With mode WINDOW, the earliest moment at which the work may begin.',
  })
  get windowOpensAt(): Date | null {
    return toMoment(this.row.windowOpensAt);
  }

  @Field(() => String, { nullable: true, description: 'Its name in the rule of its co-allocation; null without one.' })
  get leg(): string | null {
    return this.row.legId;
  }

  @Field(() => MissPolicyEnum, { description: 'What becomes of the job when it has not started by then.' })
  get ifMissed(): ReservationRow['ifMissed'] {
    return this.row.ifMissed;
  }

  @Field(() => Float, { description: 'Probability the caller asked for.' })
  get probability(): number {
    return this.row.probability;
  }

  @Field(() => Float, { description: 'Probability that was promised, at least as much.' })
  get promisedProbability(): number {
    return this.row.promisedProbability;
  }

  @Field(() => Float, { description: 'The promise that the newest recomputation would make.' })
  get currentProbability(): number {
    return this.row.currentProbability;
  }

  @Field(() => [TrajectoryPoint], {
    complexity: trajectoryComplexity,
    description: 'Probability over submission time as last computed, earliest first.',
  })
  get trajectory(): TrajectoryPoint[] {
    return this.row.trajectory.map((point) => new TrajectoryPoint(point));
  }

  @Field(() => DateTime, { description: 'When that was.' })
  get recomputedAt(): Date {
    return toMoment(this.row.recomputedAt);
  }

  @Field(() => Float, {
    description: 'Processor-seconds held for nothing if the job starts the moment it is submitted.',
  })
  get worstPaddingProcessorSeconds(): number {
    return this.row.worstPaddingProcessorSeconds;
  }

  @Field(() => Float, { description: 'The same on average.' })
  get expectedPaddingProcessorSeconds(): number {
    return this.row.expectedPaddingProcessorSeconds;
  }

  @Field(() => Float, {
    description:
      'Processor-seconds of padding paid for processors that it held too early and gave back, to be submitted again.',
  })
  get releasedProcessorSeconds(): number {
    return this.row.releasedProcessorSeconds;
  }

  @Field(() => DateTime, { nullable: true, description: 'When it was kept, missed or cancelled.' })
  get decidedAt(): Date | null {
    return toMoment(this.row.decidedAt);
  }

  @Field(() => DateTime, { description: 'When it was promised.' })
  get createdAt(): Date {
    return toMoment(this.row.createdAt);
  }
}

export const ReservationConnection = connectionType('Reservation', Reservation);
