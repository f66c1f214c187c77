import type { ChargeForecastAnswer, Named } from './answers.ts';
import type { ForecastAnswer, SpreadAnswer } from './forecast-answers.ts';

/** Between which seconds something lies with a probability; null beyond what history supports. */
export interface IntervalAnswer {
  readonly probability: number;
  readonly lowSeconds: number | null;
  readonly highSeconds: number | null;
}

/** When a job would end in the best way to run it at one size and site. */
export interface FinishAtSizeAnswer {
  readonly site: Named;
  readonly processors: number;
  readonly walltimeSeconds: number;
  readonly finishAt: string;
  readonly lowAt: string | null;
  readonly highAt: string | null;
  readonly chargeProcessorSeconds: number;
  readonly isChosen: boolean;
}

/** One option's part in a plan. */
export interface CandidateAnswer {
  readonly site: Named;
  readonly queue: string | null;
  readonly processors?: number | null;
  /** Null for a job of one size. */
  readonly gainScore?: number | null;
  readonly responseSeconds: number | null;
  readonly costProcessorSeconds: number;
  readonly walltimeSeconds?: number | null;
  readonly risk?: number | null;
  readonly waitIntervals?: readonly IntervalAnswer[];
  readonly runtimeIntervals?: readonly IntervalAnswer[];
  /** Null in plans made before it was kept. */
  readonly charge?: ChargeForecastAnswer | null;
  /** Null where nobody was asked. */
  readonly runtime?: SpreadAnswer | null;
  readonly lostBecause: string | null;
  readonly explanation: string;
  readonly forecast: ForecastAnswer | null;
}

/** A directive line of a script. */
export interface DirectiveAnswer {
  readonly line: number;
  readonly text: string;
  /** Null where the job asks for it. */
  readonly warning: string | null;
}

/** Where a job goes and when, and every option that was considered. */
export interface PlanAnswer {
  readonly madeAt: string;
  readonly submitAt: string;
  readonly chosen: { readonly site: Named } | null;
  readonly candidates: readonly CandidateAnswer[];
  readonly finishBySize?: readonly FinishAtSizeAnswer[];
  /** Of a dry run. */
  readonly directives?: readonly DirectiveAnswer[] | null;
}
