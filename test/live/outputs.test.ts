import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adapters } from '../../adapters/index.ts';
import type { SiteAdapter } from '../../src/domain/site-adapter.ts';
import { freshKey } from '../conformance/adapters/visitor.ts';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import { labSites } from '../lab/sites.ts';
import { openFolder, realTime } from './conformance/real-site.ts';

const cluster = { nodes: 1, processorsPerNode: 2, accounting: false } as const;
const SPEC: LabSpec = {
  clusters: [
    { ...cluster, name: 'commands', rest: false },
    { ...cluster, name: 'ssh', rest: false, throughLogin: true },
    { ...cluster, name: 'rest', rest: true },
  ],
  cells: [{ name: 'cell', slots: 2 }],
  servers: [{ name: 'oar', nodes: 1, processorsPerNode: 2 }],
  login: true,
};
const missing = labMissing(SPEC);

describe.skipIf(missing !== null)(`what jobs write, at real batch systems ${missing ?? ''}`, () => {
  let lab: Lab;
  const folder = openFolder();
  const sites = new Map<string, SiteAdapter>();
  beforeAll(async () => {
    lab = await startLab(SPEC);
    for (const site of labSites(lab)) sites.set(site.name, adapters.connect(site.adapter, site.configuration));
  }, 170_000);
  afterAll(async () => {
    for (const adapter of sites.values()) await adapter.close();
    await lab?.stop();
    folder.remove();
  });

  test.each(['commands', 'ssh', 'rest', 'cell', 'oar'])('%s: bytes of every value arrive as they are', async (name) => {
    const adapter = sites.get(name) as SiteAdapter;
    const bytes = Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_, value) => value)), randomBytes(200_000)]);
    const given = join(folder.path, `${name}.bytes`);
    writeFileSync(given, bytes);
    const script = `#!/bin/sh\ncat '${given}'\nprintf 'to\\000err' >&2\n`;
    const key = freshKey();
    const spec = { name: 'writes', script, arguments: [], processors: 1, walltimeSeconds: 120, queue: null };
    const ref = await adapter.submit(spec, key);
    const ended = async () => (await adapter.inspect([ref])).get(ref.nativeId)?.state === 'ENDED';
    await realTime.until('the job has ended', ended, 90);
    const request = { key, stream: 'STDOUT', offset: 0, limit: 1 << 20 } as const;
    const out = await adapter.readOutput?.(request);
    expect(hashOf(out?.bytes ?? [])).toBe(hashOf(bytes));
    expect(out?.totalBytes).toBe(bytes.length);
    const err = await adapter.readOutput?.({ ...request, stream: 'STDERR' });
    expect(Buffer.from(err?.bytes ?? []).toString()).toBe('to\0err');
  });
});

function hashOf(bytes: Iterable<number>): string {
  return createHash('sha256').update(Uint8Array.from(bytes)).digest('hex');
}
