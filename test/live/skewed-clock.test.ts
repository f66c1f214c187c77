import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSlurmAdapter } from '../../adapters/slurm/slurm.ts';
import type { SiteAdapter } from '../../src/domain/site-adapter.ts';
import { CheckedAdapter } from '../../src/flow/checked-adapter.ts';
import { createClock } from '../../src/main/clock.ts';
import { readConfig } from '../../src/main/config.ts';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import { openFolder, realTime } from './conformance/real-site.ts';
import { slurmConfig } from './slurm-ways.ts';

const LAB: LabSpec = {
  clusters: [{ name: 'alpha', nodes: 1, processorsPerNode: 2, accounting: false, rest: false }],
  login: true,
};
const missing = labMissing(LAB);

describe.skipIf(missing !== null)(`the clock of a site that is reached over ssh ${missing ?? ''}`, () => {
  let lab: Lab;
  let adapter: SiteAdapter;
  const folder = openFolder();
  beforeAll(async () => {
    lab = await startLab(LAB);
    const config = { ...slurmConfig(lab, 'ssh', folder.path), accounting: { kind: 'none' } } as const;
    const limits = { maxSkewSeconds: 300, callMilliseconds: 60_000 };
    const clock = createClock(readConfig({}));
    adapter = new CheckedAdapter(createSlurmAdapter(config), clock, limits, pino({ level: 'silent' }), 'alpha');
  });
  afterAll(async () => {
    await adapter?.close();
    await lab?.stop();
    folder.remove();
  });

  test.each([
    ['right', 0, 0],
    ['behind', -120, -120],
    ['ahead', 120, 120],
  ])('%s is measured', async (_, shift, skew) => {
    lab.login?.shiftClock(shift);
    const askedAt = realTime.now();
    const { observedAt, clockSkewSeconds = Number.NaN } = await adapter.snapshot();
    const took = realTime.now() - askedAt;
    // Asked over a slow connection it is off by what the question and the answer took, and by the site's whole seconds.
    expect(Math.abs(clockSkewSeconds - skew)).toBeLessThanOrEqual(2 * took + 1);
    expect(observedAt).toBeGreaterThanOrEqual(Math.floor(askedAt));
    expect(observedAt).toBeLessThanOrEqual(realTime.now());
  });

  test.each([-3600, 3600])('one that is off by %d s is not believed', async (shift) => {
    lab.login?.shiftClock(shift);
    await expect(adapter.snapshot()).rejects.toMatchObject({ code: 'CLOCK_SKEW' });
  });
});
