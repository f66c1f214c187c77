import type { SlotsForecast } from '../../domain/forecast.ts';
import { SLOTS_PER_DAY, SLOTS_PER_HOUR } from '../../predict/load/slots.ts';
import type { ExperimentRow } from '../experiment.ts';
import { rounded } from '../report/rounded.ts';
import { LoadErrors, LoadLevels } from './load-score.ts';
import { type LoadSeries, smoothed } from './load-series.ts';
import type { LoadSplit } from './load-split.ts';

/** Scores the forecasts of one predictor along a log. Slots are counted from the log's first. */
export class LoadTally {
  /** What was expected of each slot; 0 where nothing was asked. */
  readonly expected: Float64Array;
  private readonly rate: Float64Array;
  private readonly raw = new LoadErrors();
  private readonly smooth = new LoadErrors();
  private readonly hours = { NextHour: new LoadErrors(), Day: new LoadErrors() };
  private readonly levels = { NextHour: new LoadLevels(), Day: new LoadLevels() };

  /** @param smoothing slots at either side that a rate is averaged over */
  constructor(
    private readonly series: LoadSeries,
    private readonly split: LoadSplit,
    smoothing: number,
  ) {
    this.expected = new Float64Array(series.processors.length);
    this.rate = smoothed(series.processors, smoothing);
  }

  /** A forecast of the slot itself. */
  addSlot(slot: number, forecast: SlotsForecast): void {
    const point = pointOf(forecast.slots[0]?.point);
    this.expected[slot] = point;
    this.raw.add(point, this.series.processors[slot] as number);
    this.smooth.add(point, this.rate[slot] as number);
  }

  /** A forecast of the hours from the slot on; those that the log does not reach are not looked at. */
  addHours(slot: number, forecast: SlotsForecast): void {
    for (const [hour, one] of forecast.slots.entries()) {
      const from = slot + hour * SLOTS_PER_HOUR;
      const amounts = this.series.processors.subarray(from, from + SLOTS_PER_HOUR);
      if (amounts.length < SLOTS_PER_HOUR) return;
      const actual = sumOf(amounts);
      const when = hour === 0 ? 'NextHour' : 'Day';
      this.hours[when].add(pointOf(one.point), actual);
      this.levels[when].add(one, actual);
    }
  }

  row(name: string): ExperimentRow {
    const { trainingSlots, untilSlot } = this.split;
    const slots = untilSlot - trainingSlots;
    const meanOf = (values: Float64Array) =>
      rounded(sumOf(values.subarray(trainingSlots, untilSlot)) / Math.max(1, slots), 3) ?? 0;
    const errors = {
      mse: this.raw.mse,
      mae: this.raw.mae,
      smoothedMse: this.smooth.mse,
      smoothedMae: this.smooth.mae,
      maeNextHour: this.hours.NextHour.mae,
      maeDay: this.hours.Day.mae,
    };
    const known = Object.entries(errors).filter((entry): entry is [string, number] => entry[1] !== null);
    return {
      name,
      ...Object.fromEntries(known),
      meanExpected: meanOf(this.expected),
      meanProcessors: meanOf(this.series.processors),
      ...this.levels.NextHour.metrics('NextHour'),
      ...this.levels.Day.metrics('Day'),
      slots,
      split: `${daysOf(trainingSlots)} + ${daysOf(slots)} days`,
    };
  }
}

/** Nothing known is taken for nothing expected. */
function pointOf(point: number | undefined): number {
  return point !== undefined && Number.isFinite(point) ? point : 0;
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function daysOf(slots: number): number {
  return Math.round(slots / SLOTS_PER_DAY);
}
