import { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';

const claims = z.object({ exp: z.number() });

/** When a JWT expires by its own words; null when it does not say, or is no JWT. Source: RFC 7519, section 4.1.4. */
export function expiresAt(token: string): EpochSeconds | null {
  const [, payload] = token.trim().split('.');
  if (payload === undefined) return null;
  try {
    return claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString())).data?.exp ?? null;
  } catch {
    return null;
  }
}
