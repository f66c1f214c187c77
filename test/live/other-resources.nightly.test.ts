import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobSpec } from '../../src/domain/job.ts';
import { REQUEST_NAMES } from '../../src/domain/resources.ts';
import { type Lab, labMissing, startLab } from '../lab/lab.ts';
import { GRID_ENGINE_LAB, GRID_ENGINE_SYSTEM } from '../lab/resources/grid-engine.ts';
import { OAR_LAB, OAR_SYSTEM } from '../lab/resources/oar.ts';
import { checkRequests, type OpenedSystem } from '../lab/resources/requests.ts';
import { realTime } from './conformance/real-site.ts';

const BOTH = { ...GRID_ENGINE_LAB, ...OAR_LAB };
const missing = labMissing(BOTH);
const ROOM_FOR = 240_000;
const MEMORY_HOG = `#!/bin/bash
for each in 1 2 3 4 5; do perl -e 'my $x = "a" x 40000000; sleep 20' & done
wait
`;

describe.skipIf(missing !== null)(`what a job asks for at Grid Engine and OAR ${missing ?? ''}`, () => {
  let lab: Lab;
  let cell: OpenedSystem;
  let server: OpenedSystem;
  beforeAll(async () => {
    lab = await startLab(BOTH);
    const folder = join(lab.folder, 'work');
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o1777);
    cell = GRID_ENGINE_SYSTEM.open(lab, folder);
    server = OAR_SYSTEM.open(lab, folder);
  });
  afterAll(async () => {
    await cell?.adapter.close();
    await server?.adapter.close();
    await lab?.stop();
  });

  test.each([
    [GRID_ENGINE_SYSTEM, () => cell],
    [OAR_SYSTEM, () => server],
  ])(
    '$name honours every request by its own word, or refuses it by name',
    async (system, opened) => {
      const findings = await checkRequests(system, opened());
      expect(findings.filter(({ verdict }) => verdict === 'WRONG')).toEqual([]);
      const honoured = findings.filter(({ verdict }) => verdict === 'honoured').map(({ name }) => name);
      expect(honoured).toEqual([...(opened().adapter.capabilities.honours ?? [])]);
      expect(findings).toHaveLength(REQUEST_NAMES.length);
    },
    ROOM_FOR,
  );

  test('what the nodes have is discovered', async () => {
    const [ofCell, ofServer] = await Promise.all([cell.adapter.facts(), server.adapter.facts()]);
    expect(ofCell.nodeShapes).toEqual([
      {
        ...{ count: 1, processors: 8, memoryMebibytes: 4096, gpus: [{ kind: null, count: 4 }], features: ['bigmem'] },
        ...{ tmpMebibytes: 10_240, queues: ['batch.q', 'short.q'], inService: 1 },
      },
    ]);
    expect(ofCell.licences).toEqual([{ name: 'matlab', count: 3 }]);
    const alive = { count: 1, inService: 1, processors: 4 };
    expect(ofServer.nodeShapes).toEqual([
      { ...alive, memoryMebibytes: 65_536, gpus: [{ kind: 'V100', count: 2 }], features: ['bigmem'] },
      { ...alive, memoryMebibytes: 16_384, gpus: [], features: [] },
    ]);
  });

  const usual: JobSpec = {
    name: 'asks',
    script: '#!/bin/sh\ntrue\n',
    arguments: [],
    processors: 1,
    walltimeSeconds: 120,
    queue: null,
  };
  /** How a job ended, by its id. */
  const ended = async ({ adapter }: OpenedSystem, spec: JobSpec, key: string) => {
    const job = await adapter.submit(spec, key);
    const inspected = async () => (await adapter.inspect([job])).get(job.nativeId);
    await realTime.until(`job ${job.nativeId} is over`, async () => (await inspected())?.state === 'ENDED', 90);
    return { nativeId: job.nativeId, outcome: (await inspected())?.outcome };
  };

  test('a job that takes more memory than it asked for ends as OUT_OF_MEMORY at Grid Engine', async () => {
    const resources = { memoryPerProcessorMebibytes: 100 };
    expect(await ended(cell, { ...usual, script: MEMORY_HOG, resources }, 'memory-hog')).toMatchObject({
      outcome: 'OUT_OF_MEMORY',
    });
  });

  test('an OAR job is on one node where one holds it, whatever else is asked', async () => {
    const { outcome, nativeId } = await ended(server, { ...usual, processors: 3 }, 'few-nodes');
    expect(outcome).toBe('COMPLETED');
    expect(await server.tell(nativeId)).toMatch(/"assigned_network_address" : \["node\d"\]/);
  });

  test('directive lines of a script change nothing at either', async () => {
    const script = [
      '#!/bin/sh',
      ...['#$ -N intruder -pe smp 4 -q short.q', '#OAR -n intruder', '#OAR -l /resource_id=4,walltime=9:0:0'],
      'true\n',
    ].join('\n');
    const [atCell, atServer] = await Promise.all([
      ended(cell, { ...usual, script }, 'lines-cell'),
      ended(server, { ...usual, script }, 'lines-server'),
    ]);
    expect([atCell.outcome, atServer.outcome]).toEqual(['COMPLETED', 'COMPLETED']);
    const told = await cell.tell(atCell.nativeId);
    expect(told).toMatch(/jobname\s+gridcast\.lines-cell/);
    expect(told).toMatch(/granted_pe\s+NONE[\s\S]*slots\s+1\b/);
    expect(told).not.toContain('intruder');
    expect(await server.tell(atServer.nativeId)).toContain('resource_id=1,walltime=0:2:0');
  });
});
