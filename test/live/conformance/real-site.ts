import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../../src/domain/failures.ts';
import type { SiteUnderTest } from '../../conformance/adapters/site-under-test.ts';

/**
 * The clock and the patience of a real site: while it cannot be asked it is asked again, as the service does, for a
 * busy machine may keep a daemon silent for longer than a call may take.
 */
export const realTime: Pick<SiteUnderTest, 'now' | 'until'> = {
  now: () => Date.now() / 1000,
  async until(what, condition, seconds = 60) {
    const giveUpAt = performance.now() + seconds * 1000;
    for (;;) {
      const answer = await condition().catch(unavailableOrThrow);
      if (answer === true) return;
      if (performance.now() > giveUpAt)
        throw new Error(`not within ${seconds} s: ${what}${answer ? `; ${answer.message}` : ''}`);
      await sleep(200);
    }
  },
};

function unavailableOrThrow(error: unknown): Unavailable {
  if (error instanceof Unavailable) return error;
  throw error;
}

/** A folder that everybody may write to, and how to remove it. */
export function openFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'gridcast-shared-'));
  chmodSync(path, 0o777);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
