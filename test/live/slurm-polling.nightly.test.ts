import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSlurmAdapter } from '../../adapters/slurm/slurm.ts';
import type { NativeRef } from '../../src/domain/site-adapter.ts';
import { type Lab, labMissing, startLab } from '../lab/lab.ts';
import { fillSlurmQueue } from '../lab/slurm/fill-queue.ts';
import { openFolder } from './conformance/real-site.ts';
import { realClient, SLURM_LAB, slurmConfig, writeClient } from './slurm-ways.ts';

const QUEUED = 5000;
const missing = labMissing(SLURM_LAB);

describe.skipIf(missing !== null)(`looking at a Slurm site with ${QUEUED} jobs in its queue ${missing ?? ''}`, () => {
  let lab: Lab;
  const folder = openFolder();
  beforeAll(async () => {
    lab = await startLab(SLURM_LAB);
    await fillSlurmQueue(lab.cluster('alpha'), 'bob', QUEUED);
  });
  afterAll(async () => {
    await lab?.stop();
    folder.remove();
  });

  test.each(['commands', 'ssh', 'rest'] as const)('by %s: one observation', async (way) => {
    const adapter = createSlurmAdapter(slurmConfig(lab, way, folder.path));
    await adapter.facts();
    const seconds: number[] = [];
    for (let look = 0; look < 3; look++) {
      const beganAt = performance.now();
      const { waiting } = await adapter.snapshot();
      seconds.push((performance.now() - beganAt) / 1000);
      expect(waiting.length).toBe(QUEUED);
    }
    const connections = way === 'ssh' ? connectionsTo(lab.login?.port ?? 0) : null;
    await adapter.close();
    const best = Math.min(...seconds);
    console.log(
      `observation: ${JSON.stringify({ way, queued: QUEUED, seconds: seconds.map((taken) => taken.toFixed(2)), connections })}`,
    );
    if (connections !== null) expect(connections).toBe(1);
    // slurmrestd 22.05 itself takes two seconds to write its document of so many jobs.
    expect(best).toBeLessThan(way === 'rest' ? 10 : 1);
  });

  test.each([1, 10_000])('%i tracked jobs cost the same commands', async (tracked) => {
    const clients = join(folder.path, `counting-${tracked}`);
    const log = join(folder.path, `commands-${tracked}`);
    mkdirSync(clients);
    writeFileSync(log, '', { mode: 0o666 });
    for (const name of ['squeue', 'sinfo', 'sacct', 'scontrol']) {
      writeClient(clients, name, `#!/bin/sh\necho ${name} >> ${log}\nexec ${realClient(lab, 'commands', name)} "$@"\n`);
    }
    const adapter = createSlurmAdapter(slurmConfig(lab, 'commands', folder.path, { clients }));
    const refs = Array.from(
      { length: tracked },
      (_, index): NativeRef => ({ nativeId: String(1_000_000 + index), submittedAt: 0 }),
    );
    await adapter.snapshot();
    expect(await adapter.inspect(refs)).toEqual(new Map());
    await adapter.close();
    expect(readFileSync(log, 'utf8').trim().split('\n').sort()).toEqual(['sacct', 'sinfo', 'squeue', 'squeue']);
  });
});

/** Established connections to a port of this machine. */
function connectionsTo(port: number): number {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , to, state]) => to?.endsWith(remote) && state === '01').length;
}
