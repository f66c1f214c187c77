/** The deadline of a job; nothing but its moment where none was promised. */
export interface DeadlineAnswer {
  readonly at: string;
  readonly probability: number | null;
  readonly promisedProbability: number | null;
  readonly currentProbability: number | null;
  readonly ifMissed: string | null;
  readonly moves: number;
  readonly missedAt: string | null;
  readonly kept: boolean | null;
}
