import type { OutsideAnswer, PutOffAnswer } from './answers.ts';

/** What is forecast of a quantity, the same for all of them. */
export interface SpreadAnswer {
  readonly predictor: string;
  readonly version: string;
  readonly madeAt: string;
  readonly observedAt: string;
  readonly ageSeconds: number;
  readonly stale: boolean;
  readonly sampleSize: number;
  readonly pointSeconds: number | null;
  readonly relativePointSeconds: number | null;
  readonly medianSeconds: number | null;
  readonly boundSeconds: number | null;
  readonly probabilityWithin?: number;
}

/** How many bytes a job would read, or write. */
export interface BytesAnswer {
  readonly predictor: string;
  readonly sampleSize: number;
  readonly pointBytes: number | null;
  readonly relativePointBytes: number | null;
  readonly medianBytes: number | null;
  readonly boundBytes: number | null;
}

/** How long a job would wait. */
export interface ForecastAnswer extends SpreadAnswer {
  readonly atOnceProbability: number;
  readonly aboutSeconds: number | null;
  /** How long it would run once it starts. */
  readonly runtime?: SpreadAnswer | null;
  /** What it would read and write; null where nothing is known of that. */
  readonly readBytes?: BytesAnswer | null;
  readonly writtenBytes?: BytesAnswer | null;
  readonly outsideKnownRange: OutsideAnswer | null;
  readonly putOff: PutOffAnswer | null;
}
