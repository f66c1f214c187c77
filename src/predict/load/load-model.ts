import type { SubmittedJob } from '../../domain/job.ts';

/** A method that expects arriving load slot by slot. `SlotwiseLoad` makes a predictor of it. Pure and deterministic. */
export interface LoadModel {
  /** A job was handed in during `slot`; slots never go back. */
  submitted(job: SubmittedJob, slot: number): void;

  /**
   * A slot is over. Told of each in turn, but for those of a gap in which nothing happened for very long.
   * @param processors all that was asked for in it
   */
  slotEnded(slot: number, processors: number): void;

  /**
   * Processors expected to be asked for in a slot, when nothing came since what was told last. Finite, at least 0;
   * changes nothing.
   */
  expectedIn(slot: number): number;

  /** How many times as much arrives at that time of the day and week as on average; 1 where that is not looked at. */
  cycleAt(slot: number): number;
}
