import { Field, Float, ObjectType } from 'type-graphql';
import type { SiteOffer } from '../../commands/offers/reservation-offers.ts';
import { OutsideKnownRange } from '../forecast/outside-known-range.type.ts';
import { ChargeForecast } from '../plan/plan.type.ts';
import { OfferKindEnum } from '../shared/enums.ts';
import { Site } from '../site/site.type.ts';
import { TrajectoryPoint, trajectoryComplexity } from './reservation.type.ts';

@ObjectType({ description: 'What a site answers to the wish for a reservation; nothing is promised by it.' })
export class ReservationOffer {
  constructor(
    private readonly made: SiteOffer,
    private readonly otherOffers: readonly SiteOffer[],
  ) {}

  @Field(() => Site, { description: 'The site.' })
  get site(): Site {
    return new Site(this.made.site);
  }

  @Field(() => OfferKindEnum, { description: 'Whether it would be promised.' })
  get kind(): 'PROMISE' | 'REFUSAL' {
    return this.made.answer.offer.kind;
  }

  @Field(() => TrajectoryPoint, {
    nullable: true,
    description: 'The submission time of the promise, or of a refusal the most probable one; null when there is none.',
  })
  get point(): TrajectoryPoint | null {
    const { offer } = this.made.answer;
    const point = offer.kind === 'PROMISE' ? offer.point : offer.best;
    return point && new TrajectoryPoint(point);
  }

  @Field(() => Float, {
    description: 'What it promises, or where it refuses the highest promise it would make; 0 when there is none.',
  })
  get promisedProbability(): number {
    return this.made.promisable;
  }

  @Field(() => ChargeForecast, {
    nullable: true,
    description: 'What the promise is expected to cost; null for a refusal.',
  })
  get charge(): ChargeForecast | null {
    const { offer } = this.made.answer;
    return offer.kind === 'PROMISE' ? offer.charge : null;
  }

  @Field(() => String, { nullable: true, description: 'Why it is refused; null for a promise.' })
  get reason(): string | null {
    const { offer } = this.made.answer;
    return offer.kind === 'REFUSAL' ? offer.reason : null;
  }

  @Field(() => OutsideKnownRange, {
    nullable: true,
    description: 'How the site is outside the range that its forecasts were learned in; null when it is within.',
  })
  get outsideKnownRange(): OutsideKnownRange | null {
    const outside = this.made.answer.forecast?.outsideKnownRange;
    return outside ? new OutsideKnownRange(outside) : null;
  }

  @Field(() => Boolean, { description: 'Whether it is refused because the site has left its known range too lately.' })
  get withheld(): boolean {
    const { offer } = this.made.answer;
    return offer.kind === 'REFUSAL' && offer.isWithheld;
  }

  @Field(() => [TrajectoryPoint], {
    complexity: trajectoryComplexity,
    description: 'Probability over submission time, earliest first.',
  })
  get trajectory(): TrajectoryPoint[] {
    return this.made.answer.offer.trajectory.map((point) => new TrajectoryPoint(point));
  }

  @Field(() => [ReservationOffer], {
    complexity: ({ childComplexity }) => 1 + 10 * childComplexity,
    description: 'What the other sites answer.',
  })
  get others(): ReservationOffer[] {
    return this.otherOffers.map((offer) => new ReservationOffer(offer, []));
  }
}
