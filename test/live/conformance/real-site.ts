import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SiteUnderTest } from '../../conformance/adapters/site-under-test.ts';

/** The clock and the patience of a real site. */
export const realTime: Pick<SiteUnderTest, 'now' | 'until'> = {
  now: () => Date.now() / 1000,
  async until(what, condition, seconds = 60) {
    const giveUpAt = performance.now() + seconds * 1000;
    while (!(await condition())) {
      if (performance.now() > giveUpAt) throw new Error(`not within ${seconds} s: ${what}`);
      await sleep(200);
    }
  },
};

/** A folder that everybody may write to, and how to remove it. */
export function openFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'gridcast-shared-'));
  chmodSync(path, 0o777);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
