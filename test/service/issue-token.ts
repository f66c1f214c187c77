import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { Db } from '../../src/store/database.ts';
import { createToken } from '../../src/store/principals.ts';

/** Makes a new bearer token with its principal's own role and returns its text. */
export async function issueToken(
  db: Db,
  principalId: string,
  now: EpochSeconds,
  expiresAt: EpochSeconds | null,
): Promise<string> {
  const { role } = await db.principal.findUniqueOrThrow({ where: { id: principalId } });
  return (await createToken(db, { principalId, role, now, expiresAt })).token;
}
