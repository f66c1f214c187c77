import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import { Unavailable } from '../../src/domain/failures.ts';
import { presentMoment } from '../shared/present-moment.ts';

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

/**
 * The token that stands alone in a file, checked before it goes into a header: the client library never answers for one
 * that does not fit.
 * @throws Unavailable when there is none, when it is no token, or when its time is over
 */
export async function readToken(file: string): Promise<string> {
  const token = (await readSmallFile(file)).trim();
  if (!TOKEN.test(token)) {
    throw misconfigured(`the token file ${file} must hold one token on one line and nothing else`);
  }
  const expiry = expiresAt(token);
  if (expiry !== null && expiry <= presentMoment()) {
    const message = `authentication is lost: the token in ${file} expired at ${new Date(expiry * 1000).toISOString()}; renew it`;
    throw new Unavailable(message, message, { code: 'AUTHENTICATION' });
  }
  return token;
}

/** Never waits for a writer, as a named pipe would have us do, and reads no more than a token may have. */
async function readSmallFile(file: string): Promise<string> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile()) throw misconfigured(`the token file ${file} is no file`);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_TOKEN_BYTES + 1), 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : 'no code';
    throw misconfigured(`the token file ${file} cannot be read (${code})`);
  }
}

function misconfigured(message: string): Unavailable {
  return new Unavailable(message, message, { code: 'MISCONFIGURED' });
}

const LONGEST_TOKEN_BYTES = 16_384;
/** What a JWT consists of, and other tokens too: visible characters of ASCII. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/;
