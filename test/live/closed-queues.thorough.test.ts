import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGridEngineAdapter } from '../../adapters/gridengine/gridengine.ts';
import { createOarAdapter } from '../../adapters/oar/oar.ts';
import type { SiteAdapter } from '../../src/domain/site-adapter.ts';
import type { GridEngineCell } from '../lab/gridengine/cell.ts';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import type { OarServer } from '../lab/oar/server.ts';
import { RESERVE } from '../service/graphql/documents.ts';
import { openFolder, realTime } from './conformance/real-site.ts';
import { type LiveSite, startLiveService } from './live-service.ts';

const CELL: LabSpec = { cells: [{ name: 'geclosed', slots: 16 }] };
const SERVER: LabSpec = { servers: [{ name: 'oarclosed', nodes: 3, processorsPerNode: 4 }] };
const WITHOUT_CELL = labMissing(CELL);
const WITHOUT_SERVER = labMissing(SERVER);

if (WITHOUT_CELL) test('closed queues of Grid Engine', ({ skip }) => skip(WITHOUT_CELL));
if (WITHOUT_SERVER) test('closed queues of OAR', ({ skip }) => skip(WITHOUT_SERVER));

/** The queues that a site bars, with its words. */
async function barsOf(adapter: SiteAdapter): Promise<Record<string, string>> {
  const { queues } = await adapter.facts();
  return Object.fromEntries(queues.map(({ name, bar, unusableBecause }) => [name, `${bar}: ${unusableBecause}`]));
}

/** What a promise at a site of its own is refused for. */
async function refusalOf(site: LiveSite, startsIn: number, queue: string): Promise<string> {
  const service = await startLiveService([site]);
  try {
    const work = { name: 'p', script: '#!/bin/sh\ntrue\n', processors: 1, walltimeSeconds: 300, probability: 0.1 };
    const startAt = new Date(Date.now() + startsIn * 1000).toISOString();
    const { reserve } = await service.ask(RESERVE, { input: { ...work, startAt, queue } });
    expect(reserve.userErrors).toMatchObject([{ code: 'NO_ELIGIBLE_SITE' }]);
    return reserve.userErrors[0].message;
  } finally {
    await service.close();
  }
}

/** `YYYY-MM-DD hh:mm:ss` in UTC, so many seconds from now. */
function timeIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString().replace('T', ' ').slice(0, 19);
}

describe.skipIf(WITHOUT_CELL)('Grid Engine', () => {
  const shared = openFolder();
  const OPEN = 'null: null';
  let lab: Lab;
  let cell: GridEngineCell;
  let configuration: { environment: Readonly<Record<string, string>>; workFolder: string };
  const adapters: SiteAdapter[] = [];

  beforeAll(async () => {
    lab = await startLab(CELL);
    cell = lab.cells[0] as GridEngineCell;
    configuration = { environment: cell.clientEnvironment('alice'), workFolder: shared.path };
  });
  afterAll(async () => {
    for (const adapter of adapters) await adapter.close();
    await lab?.stop();
    shared.remove();
  });

  const administer = (...argv: string[]) => expect(cell.run(argv)).toMatchObject({ status: 0 });
  /** As alice asks after a restart: what she was told before is not remembered. */
  const asAlice = () => {
    const adapter = createGridEngineAdapter(configuration);
    adapters.push(adapter);
    return adapter;
  };

  test('a queue that is disabled on its hosts is down, and its slots are out of service', async () => {
    administer('qmod', '-d', 'batch.q');
    expect(await barsOf(asAlice())).toEqual({
      'batch.q': 'DOWN: on its only host it is disabled (d)',
      'short.q': OPEN,
    });
    expect(await asAlice().snapshot()).toMatchObject({ processors: 4, freeProcessors: 4 });
    const site = { name: 'gamma', adapter: 'gridengine', configuration };
    expect(await refusalOf(site, 600, 'batch.q')).toContain('it is disabled (d)');
    administer('qmod', '-e', 'batch.q');
    expect(await barsOf(asAlice())).toEqual({ 'batch.q': OPEN, 'short.q': OPEN });
    expect(await asAlice().snapshot()).toMatchObject({ processors: 16, freeProcessors: 16 });
  });

  test('a queue that is suspended, or switched off by its calendar, is down', async () => {
    administer('qmod', '-s', 'short.q');
    expect(await barsOf(asAlice())).toMatchObject({ 'short.q': 'DOWN: on its only host it is suspended (s)' });
    administer('qmod', '-us', 'short.q');
    expect(await barsOf(asAlice())).toMatchObject({ 'short.q': OPEN });
    const calendar = join(cell.files.configuration, 'calendar');
    writeFileSync(calendar, 'calendar_name always\nyear NONE\nweek mon-sun=0-24=off\n');
    administer('qconf', '-Acal', calendar);
    administer('qconf', '-rattr', 'queue', 'calendar', 'always', 'short.q');
    const down = 'DOWN: on its only host it is disabled by its calendar (D)';
    await realTime.until('the calendar counts', async () => (await barsOf(asAlice()))['short.q'] === down);
    administer('qconf', '-rattr', 'queue', 'calendar', 'NONE', 'short.q');
    await realTime.until('it counts no more', async () => (await barsOf(asAlice()))['short.q'] === OPEN);
  });

  test('a queue for other users, groups or projects is not for us', async () => {
    administer('qconf', '-au', 'bob', 'bobs');
    administer('qconf', '-au', '@alice', 'ours');
    const closed = 'FORBIDDEN: a job of ours has no permission for cluster queue "short.q"';
    for (const [list, users, expected] of [
      ['user_lists', 'bobs', closed],
      ['user_lists', 'ours', OPEN],
      ['xuser_lists', 'ours', closed],
    ] as const) {
      administer('qconf', '-rattr', 'queue', list, users, 'short.q');
      expect(await barsOf(asAlice())).toEqual({ 'batch.q': OPEN, 'short.q': expected });
      administer('qconf', '-rattr', 'queue', list, 'NONE', 'short.q');
    }
    expect(await asAlice().snapshot()).toMatchObject({ waiting: [], running: [] });
  });

  test('an advance reservation is a window', async () => {
    const startAt = Math.ceil(Date.now() / 60_000) * 60 + 1800;
    const start = new Date(startAt * 1000).toISOString().replace(/[-:T]/g, '').slice(0, 12);
    administer('qrsub', '-a', start, '-d', '1:0:0', '-pe', 'mpi', '12', '-q', 'batch.q', '-N', 'maint');
    const { maintenance } = await asAlice().facts();
    expect(maintenance).toEqual([
      { startAt, endAt: startAt + 3600, processors: 12, reason: 'reservation maint of root' },
    ]);
  });
});

describe.skipIf(WITHOUT_SERVER)('OAR', () => {
  let lab: Lab;
  let server: OarServer;
  let adapter: SiteAdapter;
  let configuration: { environment: Readonly<Record<string, string>>; workFolder: string };

  beforeAll(async () => {
    lab = await startLab(SERVER);
    server = lab.servers[0] as OarServer;
    configuration = { environment: server.clientEnvironment('alice'), workFolder: server.workFolder };
    adapter = createOarAdapter(configuration);
  });
  afterAll(async () => {
    await adapter?.close();
    await lab?.stop();
  });

  const administer = (...argv: string[]) => expect(server.run(argv)).toMatchObject({ status: 0 });
  const untilInService = (processors: number) =>
    realTime.until(`${processors} are in service`, async () => (await adapter.snapshot()).processors === processors);

  test('a stopped queue is down, and nothing is promised there', async () => {
    expect(await barsOf(adapter)).toEqual({ default: 'null: null' });
    administer('oarnotify', '-d', 'default');
    expect(await barsOf(adapter)).toEqual({ default: 'DOWN: its state is notActive' });
    const site = { name: 'delta', adapter: 'oar', configuration };
    expect(await refusalOf(site, 600, 'default')).toContain('its state is notActive');
    administer('oarnotify', '-e', 'default');
    expect(await barsOf(adapter)).toEqual({ default: 'null: null' });
  });

  test('absent and drained nodes are out of service, dead ones are no part of the site', async () => {
    administer('oarnodesetting', '-s', 'Absent', '-h', 'node1');
    await untilInService(8);
    expect(await adapter.facts()).toMatchObject({ processors: 12 });
    administer('oarnodesetting', '--drain', 'on', '-h', 'node2');
    await untilInService(4);
    administer('oarnodesetting', '-s', 'Dead', '-h', 'node1');
    await realTime.until('node1 is dead', async () => (await adapter.facts()).processors === 8);
    administer('oarnodesetting', '-s', 'Alive', '-h', 'node1');
    administer('oarnodesetting', '--drain', 'off', '-h', 'node2');
    await untilInService(12);
  });

  test('an advance reservation is a window and no part of the queue', async () => {
    const reserve = ['oarsub', '-d', server.workFolder, '-r', timeIn(1800), '-n', 'maint'];
    const { stdout } = server.run([...reserve, '-l', '/network_address=2,walltime=1:0:0', 'true'], { user: 'bob' });
    expect(stdout).toContain('Reservation valid');
    const { maintenance } = await adapter.facts();
    expect(maintenance).toMatchObject([{ processors: 8, reason: 'reservation maint of bob' }]);
    const [window] = maintenance ?? [];
    expect((window?.endAt ?? 0) - (window?.startAt ?? 0)).toBe(3600);
    expect(await adapter.snapshot()).toMatchObject({ waiting: [], running: [] });
  });
});
