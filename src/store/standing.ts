import type { EpochSeconds } from '../domain/clock.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Db } from './database.ts';
import { listRefusals } from './refusals.ts';

/** What holds at the sites for the jobs of one tenant in particular. */
export interface Standing {
  /** What sites refuse to it at present. */
  readonly refusals: readonly Refusal[];
}

/** The same as it is at a moment. */
export async function loadStanding(db: Db, tenantId: string, now: EpochSeconds): Promise<Standing> {
  return { refusals: await listRefusals(db, tenantId, now) };
}
