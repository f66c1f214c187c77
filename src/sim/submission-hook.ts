import type { EpochSeconds } from '../domain/clock.ts';
import type { JobCard } from './job-source.ts';
import type { SimulatedJob } from './job-table.ts';
import type { ReplayedSite } from './replayed-site.ts';

/** A job whose submission has come. */
export interface Arrival extends JobCard {
  /** Its number in the source. */
  readonly number: number;
  /** As the source has it, when it was put off, too: its `submitAt` is the moment at which it was wanted. */
  readonly job: SimulatedJob;
  /** The present moment. */
  readonly at: EpochSeconds;
}

/**
 * What becomes of a job at its submission. It is handed in as it is returned: of another size, with another walltime,
 * after which it is killed, and another runtime, in another queue. With a later `submitAt` it is put off, and asked
 * about again then; with null it never comes.
 * @param site as it stands at that moment, before anything of the moment has happened; it is only looked at
 */
export type SubmissionHook = (arrival: Arrival, site: ReplayedSite) => SimulatedJob | null;
