import type { EpochSeconds } from '../domain/clock.ts';
import type { DownTimeState, DownTimeVerdict } from '../domain/down-time.ts';
import type { Db } from './database.ts';
import { publishChange } from './events.ts';

/**
 * Keeps what the detector remembers and its evidence. A site that takes work is suspended while there is any, and takes
 * work again afterwards; one that is draining stays as it is. Returns what has become of the site by that.
 */
export async function saveDownTime(
  tx: Db,
  siteId: string,
  state: DownTimeState,
  { isDown, evidence }: DownTimeVerdict,
  now: EpochSeconds,
): Promise<'SUSPENDED' | 'RESUMED' | 'UNCHANGED'> {
  const [row] = await tx.$queryRaw<{ isChanged: boolean }[]>`
    WITH before AS (SELECT "state" FROM "Site" WHERE "id" = ${siteId}::uuid FOR NO KEY UPDATE),
    after AS (
      SELECT CASE WHEN ${isDown}::bool AND "state" = 'ACTIVE' THEN 'SUSPENDED'
                  WHEN NOT ${isDown}::bool AND "state" = 'SUSPENDED' THEN 'ACTIVE' ELSE "state" END AS "state",
             "state" AS "before" FROM before)
    UPDATE "Site" s
       SET "downTimeState" = ${JSON.stringify(state)}::jsonb, "downEvidence" = ${JSON.stringify(evidence)}::jsonb,
           "state" = after."state",
           "suspendedAt" = CASE WHEN NOT ${isDown}::bool THEN NULL
                                WHEN after."state" <> after."before" THEN to_timestamp(${now}::float8)
                                ELSE s."suspendedAt" END
      FROM after WHERE s."id" = ${siteId}::uuid
    RETURNING after."state" <> after."before" AS "isChanged"`;
  if (!row?.isChanged) return 'UNCHANGED';
  await publishChange(tx, { type: 'SITE', id: siteId, tenantId: null });
  return isDown ? 'SUSPENDED' : 'RESUMED';
}
