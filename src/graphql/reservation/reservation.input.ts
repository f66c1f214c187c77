import { Field, Float, InputType } from 'type-graphql';
import { usualPaddingCap } from '../../commands/input/usual-padding.ts';
import type { ReserveInput as ReserveCommand } from '../../commands/reserve.ts';
import type { ReservationMode } from '../../domain/reservation.ts';
import { MissPolicyEnum, ReservationModeEnum } from '../shared/enums.ts';
import { fromMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';
import { MAX_PADDING, toPromisedWork, WorkInput } from '../shared/work.input.ts';

@InputType({ description: 'A job that must be running at a certain moment.' })
export class ReserveInput extends WorkInput {
  @Field(() => DateTime, { description: 'When it must be running.' })
  startAt!: Date;

  @Field(() => Float, { description: 'How surely, between 0 and 1, both excluded.' })
  probability!: number;

  @Field(() => ReservationModeEnum, { defaultValue: 'HOLD', description: 'What it does when it starts early.' })
  mode!: ReservationMode;

  @Field(() => DateTime, {
    nullable: true,
    description: 'With mode WINDOW, the earliest moment at which the work may begin.',
  })
  windowOpensAt?: Date | null;

  @Field(() => MissPolicyEnum, {
    defaultValue: 'CANCEL',
    description: 'What becomes of it when it has not started by then.',
  })
  ifMissed!: ReserveCommand['ifMissed'];

  @Field(() => Float, {
    nullable: true,
    description: MAX_PADDING,
  })
  maxPaddingProcessorSeconds?: number | null;
}

/** The input in the words of the command. */
export function toReserveCommand(input: ReserveInput): ReserveCommand {
  const { probability, mode, ifMissed, maxPaddingProcessorSeconds = null, idempotencyKey = null } = input;
  const work = toPromisedWork(input, 'input');
  return {
    ...work,
    startAt: fromMoment(input.startAt),
    probability,
    mode,
    windowOpensAt: fromMoment(input.windowOpensAt),
    ifMissed,
    maxPaddingProcessorSeconds,
    maxExpectedPaddingProcessorSeconds: usualPaddingCap({ ...work, maxPaddingProcessorSeconds }),
    idempotencyKey,
  };
}
