import { reveal } from '../../predict/past/reveal.ts';
import { tell } from '../../predict/past/tell.ts';
import { toRecords } from '../../sim/records.ts';
import type { Workload } from '../../sim/workload.ts';
import { createAdjuster } from './adjustments.ts';

/** Whose past the adjusters know: that of the schedule which they shape, or that of the log as it happened. */
export const PASTS = ['schedule', 'log'] as const;

/** What stands in for each job's request, by its number in the log; not-a-number where the request stays. */
export type EstimatesAlongLog = Float64Array;

/** What adjusters say of each job of a log, each asked once a job, when it is first wanted, for all schedules. */
export class AlongLog {
  private readonly asked = new Map<string, EstimatesAlongLog>();

  constructor(
    private readonly workload: Workload,
    private readonly settings: string,
  ) {}

  /** @throws RangeError for an adjuster that there is none of; see `createAdjuster` */
  of(adjustment: string): EstimatesAlongLog {
    const estimates = this.asked.get(adjustment) ?? this.ask(adjustment);
    this.asked.set(adjustment, estimates);
    return estimates;
  }

  private ask(adjustment: string): EstimatesAlongLog {
    const { predictor, seconds } = createAdjuster(adjustment, this.settings);
    const { columns, length } = this.workload;
    const numbers = new Map(Array.from(columns.id.subarray(0, length), (id, number) => [String(id), number]));
    const estimates = new Float64Array(length).fill(Number.NaN);
    for (const event of reveal(toRecords(this.workload))) {
      if (event.kind === 'submit') {
        const number = numbers.get(event.submission.nativeId) as number;
        estimates[number] = seconds(event.submission, event.at) ?? Number.NaN;
      }
      tell(predictor, event);
    }
    return estimates;
  }
}
