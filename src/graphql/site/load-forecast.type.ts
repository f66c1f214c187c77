import { Arg, Field, Float, Int, ObjectType } from 'type-graphql';
import { type SlotForecast, type SlotsForecast, valueAtProbability } from '../../domain/forecast.ts';
import { finiteOrNull, toMoment } from '../shared/moments.ts';
import { assertProbability, PROBABILITY } from '../shared/probability.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({ description: 'Processors that the jobs handed in during one slot of time will ask for together.' })
export class LoadSlot {
  constructor(private readonly slot: SlotForecast) {}

  @Field(() => DateTime, { description: 'When the slot begins.' })
  get startsAt(): Date {
    return toMoment(this.slot.startsAt);
  }

  @Field(() => Int, { description: 'How many slots of the past the spread rests on.' })
  get sampleSize(): number {
    return this.slot.sampleSize;
  }

  @Field(() => Float, {
    nullable: true,
    description: 'The expected number, which rare large jobs lift above the usual one; null while nothing is known.',
  })
  get processors(): number | null {
    return finiteOrNull(this.slot.point);
  }

  @Field(() => Float, {
    nullable: true,
    description: 'What is not exceeded with that probability; null where history does not support the level.',
  })
  processorsAtMost(
    @Arg('probability', () => Float, PROBABILITY)
    probability: number,
  ): number | null {
    assertProbability(probability);
    return finiteOrNull(valueAtProbability(this.slot.percentiles, probability));
  }
}

@ObjectType({ description: 'The load that is expected to arrive at a site, slot by slot, whoever hands it in.' })
export class LoadForecast {
  constructor(private readonly forecast: SlotsForecast) {}

  @Field(() => String, { description: 'Family and method, for example load/gridcast.' })
  get predictor(): string {
    return this.forecast.predictor;
  }

  @Field(() => String, { description: 'Changes whenever the same history would give other forecasts.' })
  get version(): string {
    return this.forecast.version;
  }

  @Field(() => DateTime, { description: 'When it was made.' })
  get madeAt(): Date {
    return toMoment(this.forecast.madeAt);
  }

  @Field(() => Int, { description: 'Length of each slot.' })
  get slotSeconds(): number {
    return this.forecast.slotSeconds;
  }

  @Field(() => [LoadSlot], { description: 'The slots from now on, in the order of time.' })
  get slots(): LoadSlot[] {
    return this.forecast.slots.map((slot) => new LoadSlot(slot));
  }
}
