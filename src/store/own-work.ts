import type { EpochSeconds } from '../domain/clock.ts';
import type { ReservationMode } from '../domain/reservation.ts';
import type { Db } from './database.ts';

/** What became of work of ours that ran to its end, its walltime or its failure. */
export interface EndedWork {
  readonly walltimeSeconds: number;
  readonly startedAt: EpochSeconds;
  readonly endedAt: EpochSeconds;
  /** Null of what was not reserved. */
  readonly mode: ReservationMode | null;
  readonly startAt: EpochSeconds | null;
  readonly windowOpensAt: EpochSeconds | null;
}

/** The newest of it, at whatever site. */
export async function listEndedWork(db: Db, newest: number): Promise<EndedWork[]> {
  return db.$queryRaw<EndedWork[]>`
    SELECT e."walltimeSeconds", extract(epoch FROM e."startedAt")::float8 AS "startedAt",
           extract(epoch FROM e."endedAt")::float8 AS "endedAt", r."mode"::text AS "mode",
           extract(epoch FROM r."startAt")::float8 AS "startAt",
           extract(epoch FROM r."windowOpensAt")::float8 AS "windowOpensAt"
      FROM "Execution" e LEFT JOIN "Reservation" r ON r."executionId" = e."id"
     WHERE e."state" = 'ENDED' AND e."startedAt" IS NOT NULL AND e."endedAt" IS NOT NULL
       AND e."outcome" IN ('COMPLETED', 'FAILED', 'TIMEOUT') AND e."gateSeconds" IS NULL
     ORDER BY e."id" DESC LIMIT ${newest}::int`;
}
