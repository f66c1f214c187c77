import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { keepScript } from '../../../src/store/scripts.ts';
import { saveSiteFacts } from '../../../src/store/sites.ts';
import { type ApiWorld, createApiWorld, work } from '../graphql/api-world.ts';
import { type Steps, stepsOver } from './told-site.ts';

const CANARY = 'Xk7CanaryQz';
const WRITTEN = new RegExp(CANARY, 'i');

let world: ApiWorld;
let steps: Steps;
let folder: string;
let file: string;
let echo: ReturnType<typeof createServer>;
beforeAll(async () => {
  world = await createApiWorld();
  steps = stepsOver(world);
  folder = mkdtempSync(join(tmpdir(), 'gridcast-files-'));
  file = join(folder, 'secret');
  writeFileSync(file, `${CANARY} one\n${CANARY}=two\n[${CANARY}]\n`);
  mkdirSync(join(folder, 'bin'));
  // Any client of a batch system that is at a loss says what it has read, as ssh does of its configuration file.
  const client = `#!/bin/sh\necho "${file} line 1: Bad option: ${CANARY}" >&2\necho "qsub: Unknown option ${CANARY}" >&2\nexit 1\n`;
  for (const name of [
    'sbatch',
    'squeue',
    'sinfo',
    'qsub',
    'qstat',
    'qhost',
    'qconf',
    'oarsub',
    'oarstat',
    'oarnodes',
    'pbsnodes',
  ]) {
    writeFileSync(join(folder, 'bin', name), client, { mode: 0o755 });
  }
  echo = createServer((request, response) => {
    response
      .writeHead(500)
      .end(JSON.stringify({ errors: [{ error: request.headers['x-slurm-user-token'] }], error: CANARY }));
  });
  await new Promise<void>((listening) => echo.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  echo.close();
  rmSync(folder, { recursive: true, force: true });
  await world.close();
});

const url = () => `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
const ssh = (names: object) => ({ kind: 'ssh', host: 'nowhere.invalid', connectTimeoutSeconds: 1, ...names });
const local = () => ({ transport: { kind: 'local' }, environment: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` } });
const token = () => {
  const path = join(folder, 'token');
  writeFileSync(path, CANARY);
  return path;
};

const CONFIGURATIONS: [string, string, () => object][] = [
  ['slurm, ssh configFile', 'slurm', () => ({ transport: ssh({ configFile: file }) })],
  ['slurm, ssh identityFile', 'slurm', () => ({ transport: ssh({ identityFile: file, configFile: 'none' }) })],
  ['slurm, ssh knownHostsFile', 'slurm', () => ({ transport: ssh({ knownHostsFile: file, configFile: 'none' }) })],
  ['slurm, local', 'slurm', () => ({ ...local(), workFolder: folder })],
  [
    'slurm, tokenFile that is none',
    'slurm',
    () => ({ transport: { kind: 'rest', url: url(), user: 'alice', tokenFile: file }, workFolder: folder }),
  ],
  [
    'slurm, tokenFile that is echoed',
    'slurm',
    () => ({ transport: { kind: 'rest', url: url(), user: 'alice', tokenFile: token() }, workFolder: folder }),
  ],
  ['gridengine, ssh configFile', 'gridengine', () => ({ transport: ssh({ configFile: file }) })],
  ['gridengine, local', 'gridengine', () => ({ ...local(), workFolder: folder })],
  ['oar, ssh configFile', 'oar', () => ({ transport: ssh({ configFile: file }) })],
  ['oar, local', 'oar', () => ({ ...local(), workFolder: folder })],
  ['pbs, ssh configFile', 'pbs', () => ({ transport: ssh({ configFile: file }) })],
  ['pbs, local', 'pbs', () => ({ ...local(), workFolder: folder })],
  ['simulator', 'simulator', () => ({ url: url(), site: 'x' })],
];

let count = 0;
test.each(CONFIGURATIONS)('no caller reads what a configuration names: %s', async (_, adapter, configuration) => {
  const { db } = world.stores.database;
  const name = `named-${++count}`;
  const siteId = await steps.register(name, adapter, configuration());
  const queue = { name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds: 86_400 };
  await saveSiteFacts(db, siteId, { processors: 64, queues: [queue] }, world.clock.now());
  for (let look = 0; look < 3; look++) {
    world.clock.advanceTo(world.clock.now() + 600);
    await steps.observe(siteId);
  }
  expect(await db.site.findUnique({ where: { id: siteId } })).toHaveProperty(
    'fault',
    expect.stringMatching(/^[A-Z_]+$/),
  );
  const executionId = await heldAt(siteId);
  await steps.execute(executionId);
  const row = await db.execution.findUnique({ where: { id: executionId }, include: { submissions: true } });
  expect(row?.submissions).not.toEqual([]);
  for (const token of Object.values(world.tokens)) {
    const { data } = await world.ask(token, EVERYTHING, {
      site: toGlobalId('Site', siteId),
      job: toGlobalId('Job', executionId),
    });
    expect(JSON.stringify(data)).toContain(name);
    expect(JSON.stringify(data)).not.toMatch(WRITTEN);
  }
  expect(JSON.stringify(await db.site.findMany({ omit: { configuration: true } }))).not.toMatch(WRITTEN);
  expect(JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(
    WRITTEN,
  );
});

const EVERYTHING = `query ($site: ID!, $job: ID!) {
  site: node(id: $site) { ... on Site { name fault faultCode downTime { evidence { explanation } } } }
  job: node(id: $job) { ... on Job { reason submissions { siteSays state } } }
}`;

/** A job of a gateway's that the site is to be given now. */
async function heldAt(siteId: string): Promise<string> {
  const { db } = world.stores.database;
  const { id: _i, ...principal } = world.principal;
  const now = new Date(world.clock.now() * 1000);
  const { script, ...job } = work;
  const { id } = await db.execution.create({
    data: {
      tenantId: principal.tenantId,
      principalId: world.principal.id,
      requestId: 'canary',
      ...job,
      scriptHash: await keepScript(db, script),
      arguments: [],
      siteId,
      siteQueue: 'batch',
      state: 'HELD',
      submitAt: now,
      createdAt: now,
      updatedAt: now,
      wakeAt: now,
    } as never,
  });
  return id;
}
