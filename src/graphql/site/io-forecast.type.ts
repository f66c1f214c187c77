import { Field, Float, Int, ObjectType } from 'type-graphql';
import { type IoForecast as IoAhead, type IoSlotForecast, isBurst } from '../../domain/io-ahead.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({ description: 'What the jobs of a site are forecast to read and write in one slot of time.' })
export class IoSlot {
  constructor(
    private readonly slot: IoSlotForecast,
    private readonly forecast: IoAhead,
  ) {}

  @Field(() => DateTime, { description: 'When the slot begins.' })
  get startsAt(): Date {
    return toMoment(this.slot.startsAt);
  }

  @Field(() => Float, { description: 'Bytes per second read from file systems, on average.' })
  get readBytesPerSecond(): number {
    return this.slot.readBytesPerSecond;
  }

  @Field(() => Float, { description: 'Bytes per second written to file systems, on average.' })
  get writtenBytesPerSecond(): number {
    return this.slot.writtenBytesPerSecond;
  }

  @Field(() => Boolean, { description: 'Whether both together exceed burstBytesPerSecond.' })
  get isBurst(): boolean {
    return isBurst(this.forecast, this.slot);
  }
}

@ObjectType({
  description:
    'The IO of a site in the coming hours, by the jobs that it shows: each runs as long as is forecast and reads and writes evenly. Who comes later is not foreseen.',
})
export class IoForecast {
  constructor(
    private readonly forecast: IoAhead,
    private readonly now: number,
  ) {}

  @Field(() => DateTime, { description: 'When it was made.' })
  get madeAt(): Date {
    return toMoment(this.forecast.madeAt);
  }

  @Field(() => Float, { description: 'How long ago the site was seen as it rests on.' })
  get ageSeconds(): number {
    return Math.max(0, this.now - this.forecast.observedAt);
  }

  @Field(() => Int, { description: 'Length of each slot.' })
  get slotSeconds(): number {
    return this.forecast.slotSeconds;
  }

  @Field(() => Float, {
    description:
      'What a burst exceeds, read and written together: the mean and one deviation of the last four weeks, as far as jobs told.',
  })
  get burstBytesPerSecond(): number {
    return this.forecast.burstBytesPerSecond;
  }

  @Field(() => Int, { description: 'How many running and waiting jobs it is made of.' })
  get jobs(): number {
    return this.forecast.jobs;
  }

  @Field(() => Int, { description: 'How many were left out: beyond a thousand, and those that fit nowhere now.' })
  get jobsLeftOut(): number {
    return this.forecast.jobsLeftOut;
  }

  @Field(() => [IoSlot], { description: 'The slots from now on, in the order of time.' })
  get slots(): IoSlot[] {
    return this.forecast.slots.map((slot) => new IoSlot(slot, this.forecast));
  }
}
