import { Field, Float, ObjectType } from 'type-graphql';
import { PromiseRefused } from '../../commands/offers/promise-refused.ts';
import { WarnedPayload } from '../directive/warned.payload.ts';
import { toMoment } from '../shared/moments.ts';
import { Payload } from '../shared/payload.ts';
import { DateTime } from '../shared/scalars.ts';
import { Reservation } from './reservation.type.ts';

@ObjectType({ description: 'The most that is on offer where no site reaches the probability asked for.' })
export class BestOffer {
  @Field(() => String, { description: 'The site.' })
  siteName!: string;

  @Field(() => Float, { description: 'The highest promise it would make.' })
  probability!: number;

  @Field(() => DateTime, { description: 'When the job would have to be submitted.' })
  submitAt!: Date;
}

@ObjectType({ description: 'Answer of reserve.' })
export class ReservePayload extends WarnedPayload {
  @Field(() => Reservation, { nullable: true, description: 'The reservation; null when nothing was done.' })
  reservation?: Reservation | null;

  @Field(() => BestOffer, {
    nullable: true,
    description: 'With PROMISE_REFUSED or PADDING_TOO_HIGH, the most that is on offer.',
  })
  bestOffer?: BestOffer | null;
}

@ObjectType({ description: 'Answer of cancelReservation.' })
export class CancelReservationPayload extends Payload {
  @Field(() => Reservation, { nullable: true, description: 'The reservation; null when nothing was done.' })
  reservation?: Reservation | null;
}

/** The best offer that a refusal carries. */
export function bestOfferOf(error: unknown): BestOffer | null {
  if (!(error instanceof PromiseRefused) || !error.best) return null;
  const { siteName, probability, point } = error.best;
  return { siteName, probability, submitAt: toMoment(point.submitAt) };
}
