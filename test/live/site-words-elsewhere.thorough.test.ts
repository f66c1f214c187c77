import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGridEngineAdapter } from '../../adapters/gridengine/gridengine.ts';
import { createOarAdapter } from '../../adapters/oar/oar.ts';
import type { SiteAdapter } from '../../src/domain/site-adapter.ts';
import type { WaitingJob } from '../../src/domain/snapshot.ts';
import type { GridEngineCell } from '../lab/gridengine/cell.ts';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import type { OarServer } from '../lab/oar/server.ts';
import { realTime } from './conformance/real-site.ts';

const CELL: LabSpec = { cells: [{ name: 'gewords', slots: 4 }] };
const SERVER: LabSpec = { servers: [{ name: 'oarwords', nodes: 2, processorsPerNode: 2 }] };
const JOB = { name: 'waits', script: '#!/bin/sh\nsleep 3000\n', arguments: [], walltimeSeconds: 3600, queue: null };

/** The waiting job with that id, once its site says of it what is expected. */
async function untilSaid(
  adapter: SiteAdapter,
  nativeId: string,
  isExpected: (job: WaitingJob) => boolean,
): Promise<WaitingJob> {
  const giveUpAt = performance.now() + 60_000;
  for (;;) {
    const seen = (await adapter.snapshot()).waiting.find((waiting) => waiting.nativeId === nativeId);
    if (seen !== undefined && isExpected(seen)) return seen;
    if (performance.now() > giveUpAt) throw new Error(`not as expected: ${JSON.stringify(seen)}`);
    await sleep(200);
  }
}

const cellMissing = labMissing(CELL);
describe.skipIf(cellMissing !== null)(`what Grid Engine says of jobs that wait ${cellMissing ?? ''}`, () => {
  let lab: Lab;
  let cell: GridEngineCell;
  let adapter: SiteAdapter;
  beforeAll(async () => {
    lab = await startLab(CELL);
    cell = lab.cells[0] as GridEngineCell;
    adapter = createGridEngineAdapter({ environment: cell.clientEnvironment('alice'), workFolder: '/tmp' });
  });
  afterAll(async () => {
    await adapter?.close();
    await lab?.stop();
  });

  test('the words of its scheduler where the cell collects them, elsewhere the letters of a hold', async () => {
    await adapter.submit({ ...JOB, processors: 3 }, 'gc-words-1');
    await realTime.until('it runs', async () => (await adapter.snapshot()).running.length === 1);
    const { nativeId } = await adapter.submit({ ...JOB, processors: 2 }, 'gc-words-2');
    const told = await untilSaid(adapter, nativeId, ({ reason }) => /cannot run in/.test(reason ?? ''));
    expect(told.priority).toBeGreaterThan(0);

    const file = join(lab.folder, 'scheduler');
    const { stdout } = cell.run(['qconf', '-ssconf']);
    writeFileSync(file, stdout.replace(/^schedd_job_info.*/m, 'schedd_job_info false'));
    expect(cell.run(['qconf', '-Msconf', file]).status).toBe(0);
    await untilSaid(adapter, nativeId, ({ reason }) => reason === null);
    expect(cell.run(['qhold', nativeId], { user: 'alice' }).status).toBe(0);
    await untilSaid(adapter, nativeId, ({ reason }) => reason === 'hqw');
  }, 180_000);
});

const serverMissing = labMissing(SERVER);
describe.skipIf(serverMissing !== null)(`what OAR says of jobs that wait ${serverMissing ?? ''}`, () => {
  let lab: Lab;
  let server: OarServer;
  let adapter: SiteAdapter;
  beforeAll(async () => {
    lab = await startLab(SERVER);
    server = lab.servers[0] as OarServer;
    const { workFolder } = server;
    adapter = createOarAdapter({ environment: server.clientEnvironment('alice'), workFolder });
  });
  afterAll(async () => {
    await adapter?.close();
    await lab?.stop();
  });

  test('when it means to start them, what it says beside, and that one is held', async () => {
    await adapter.submit({ ...JOB, processors: 3 }, 'gc-words-1');
    await realTime.until('it runs', async () => (await adapter.snapshot()).running.length === 1, 90);
    const [running] = (await adapter.snapshot()).running;
    const { nativeId } = await adapter.submit({ ...JOB, processors: 2 }, 'gc-words-2');
    const planned = await untilSaid(adapter, nativeId, ({ estimatedStartAt }) => Boolean(estimatedStartAt));
    expect(planned.estimatedStartAt).toBeGreaterThanOrEqual((running?.startAt ?? 0) + 3600);
    expect(planned.reason).toMatch(/quota_ok/);
    expect(server.run(['oarhold', nativeId], { user: 'alice' }).status).toBe(0);
    const held = await untilSaid(adapter, nativeId, ({ reason }) => reason === 'Hold');
    expect(held.estimatedStartAt).toBeNull();
  }, 180_000);
});
