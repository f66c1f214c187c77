import { Field, Float, ObjectType } from 'type-graphql';
import {
  type OutsideKnownRange as DomainOutside,
  describeOutside,
  type RangeQuantity,
} from '../../domain/known-range.ts';
import { RangeQuantityEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({ description: 'How a site is outside the range that its forecasts were learned in.' })
export class OutsideKnownRange {
  constructor(private readonly outside: DomainOutside) {}

  @Field(() => RangeQuantityEnum, { description: 'The quantity that is farthest outside.' })
  get what(): RangeQuantity {
    return this.outside.what;
  }

  @Field(() => Float, { description: 'What it is now.' })
  get value(): number {
    return this.outside.value;
  }

  @Field(() => Float, { description: 'The largest value that forecasts were learned from.' })
  get knownUpTo(): number {
    return this.outside.knownUpTo;
  }

  @Field(() => DateTime, { description: 'When the site left its known range.' })
  get sinceAt(): Date {
    return toMoment(this.outside.sinceAt);
  }

  @Field(() => Boolean, {
    description:
      'Whether enough was seen since to correct forecasts by it; until then no probability is promised there.',
  })
  get followed(): boolean {
    return this.outside.isFollowed;
  }

  @Field(() => String, { description: 'The same in words.' })
  get explanation(): string {
    return `the site ${describeOutside(this.outside)}`;
  }
}
