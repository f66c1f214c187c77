import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOarAdapter } from '../../adapters/oar/oar.ts';
import { Rejected, Unknown } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { NativeRef, SiteAdapter } from '../../src/domain/site-adapter.ts';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import type { OarServer } from '../lab/oar/server.ts';
import { realTime } from './conformance/real-site.ts';
import { hostileStrings } from './hostile-strings.ts';

const LAB: LabSpec = { servers: [{ name: 'oarlive', nodes: 2, processorsPerNode: 4 }] };
const MISSING = labMissing(LAB);
const SLEEP: JobSpec = {
  name: 'live',
  script: '#!/bin/sh\nsleep 3000\n',
  arguments: [],
  processors: 1,
  walltimeSeconds: 3600,
  queue: null,
};

if (MISSING) test('OAR, live', ({ skip }) => skip(MISSING));

describe.skipIf(MISSING)('OAR, live', () => {
  let lab: Lab;
  let server: OarServer;
  let adapter: SiteAdapter;

  beforeAll(async () => {
    lab = await startLab(LAB);
    server = lab.servers[0] as OarServer;
    adapter = createOarAdapter({
      environment: server.clientEnvironment('alice'),
      workFolder: server.workFolder,
      coolDownMilliseconds: 300,
    });
  });
  afterAll(async () => {
    await adapter?.close();
    await lab?.stop();
  });

  const freshKey = () => `gc-${randomUUID().replaceAll('-', '')}-1`;
  const inspect = async (ref: NativeRef) => (await adapter.inspect([ref])).get(ref.nativeId);
  const untilState = (ref: NativeRef, state: string) =>
    realTime.until(`${ref.nativeId} is ${state}`, async () => (await inspect(ref))?.state === state, 90);

  describe('what callers write', () => {
    test('500 hostile texts arrive byte for byte as name, argument and script, and nothing else runs', async () => {
      const canary = join(server.workFolder, 'canary');
      const texts = hostileStrings(500, canary);
      expect(texts.length).toBe(500);
      const perJob = 50;
      const refs: NativeRef[] = [];
      for (let first = 0; first < texts.length; first += perJob) {
        const some = texts.slice(first, first + perJob);
        const result = join(server.workFolder, `hostile-${first}`);
        const inScript = some.map((text) => `cat <<'THE_END_OF_IT'\n${text}\nTHE_END_OF_IT\n`).join('');
        const comments = some.flatMap((text) => text.split('\n').map((line) => `# ${line}`)).join('\n');
        const script = `#!/bin/bash\n${comments}\n{ ${inScript}printf '%s\\0' "$@"; } > '${result}'\n`;
        const name = some.join(' ');
        refs.push(await adapter.submit({ ...SLEEP, name, script, arguments: some, walltimeSeconds: 60 }, freshKey()));
      }
      for (const ref of refs) await untilState(ref, 'ENDED');
      for (let first = 0; first < texts.length; first += perJob) {
        const some = texts.slice(first, first + perJob);
        const expected = some.map((text) => `${text}\n`).join('') + some.map((text) => `${text}\0`).join('');
        expect(readFileSync(join(server.workFolder, `hostile-${first}`), 'utf8')).toBe(expected);
      }
      expect(existsSync(canary)).toBe(false);
      expect(server.sql("SELECT count(*) FROM jobs WHERE job_name NOT LIKE 'gridcast.gc-%'").trim()).toBe('0');
    }, 240_000);

    test('none of them gets through as a queue, a key, or an id', async () => {
      const canary = join(server.workFolder, 'canary');
      const texts = hostileStrings(500, canary).filter((text) => !/^[A-Za-z0-9][\w.-]*$/.test(text));
      const before = server.sql('SELECT count(*) FROM jobs');
      for (const text of texts) {
        await expect(adapter.submit({ ...SLEEP, queue: text }, freshKey())).rejects.toBeInstanceOf(Rejected);
        await expect(adapter.submit(SLEEP, text)).rejects.toBeInstanceOf(Rejected);
        await expect(adapter.find(text, 0)).rejects.toBeInstanceOf(Rejected);
        expect((await adapter.inspect([{ nativeId: text, submittedAt: 0 }])).size).toBe(0);
        await adapter.cancel({ nativeId: text, submittedAt: 0 });
      }
      expect(server.sql('SELECT count(*) FROM jobs')).toBe(before);
      expect(existsSync(canary)).toBe(false);
    });

    test('directives in a script change nothing of the request', async () => {
      const script =
        '#!/bin/sh\n#OAR -n evil\n#OAR -l /resource_id=4,walltime=0:0:7\n#OAR --hold\n#OAR -t besteffort\nsleep 3000\n';
      const key = freshKey();
      const ref = await adapter.submit({ ...SLEEP, script }, key);
      await untilState(ref, 'RUNNING');
      const { running } = await adapter.snapshot();
      expect(running.filter((job) => job.key === key)).toMatchObject([
        { nativeId: ref.nativeId, processors: 1, requestedWalltimeSeconds: 3600, queue: 'default' },
      ]);
      await adapter.cancel(ref);
      await untilState(ref, 'ENDED');
    });
  });

  test('a script that kills its whole process group has failed', async () => {
    const script = "#!/bin/bash\ntrap 'kill -9 0' EXIT\nexit 3\n";
    const ref = await adapter.submit({ ...SLEEP, script }, freshKey());
    await untilState(ref, 'ENDED');
    expect(await inspect(ref)).toMatchObject({ outcome: 'FAILED', exitCode: null });
  }, 60_000);

  describe('a server without its Almighty', () => {
    test('leaves a submission unknown, and the job it has kept is found and runs when the server is back', async () => {
      const key = freshKey();
      await server.killAlmighty();
      await expect(adapter.submit(SLEEP, key)).rejects.toBeInstanceOf(Unknown);
      const found = (await adapter.find(key, 0)) as NativeRef;
      expect(found).toMatchObject({ state: 'WAITING' });
      await server.startAlmighty();
      await untilState(found, 'RUNNING');
      const { waiting, running } = await adapter.snapshot();
      expect([...waiting, ...running].filter((job) => job.key === key).length).toBe(1);
      await adapter.cancel(found);
      await untilState(found, 'ENDED');
    });

    test('does not say that a job was cancelled, and knows the job when the server is back', async () => {
      const ref = await adapter.submit(SLEEP, freshKey());
      await untilState(ref, 'RUNNING');
      await server.killAlmighty();
      await expect(adapter.cancel(ref)).rejects.toBeInstanceOf(Unknown);
      await server.startAlmighty();
      expect(await inspect(ref)).toBeDefined();
    });
  });

  test('history goes on without a gap from page to page, jobs that never started included', async () => {
    const never = await adapter.submit({ ...SLEEP, processors: 8 }, freshKey());
    server.run(['oarhold', never.nativeId], { user: 'alice' });
    await adapter.cancel(never);
    await untilState(never, 'ENDED');
    const { records, nextSince } = await adapter.history(0);
    const ended = server.sql("SELECT job_id FROM jobs WHERE state IN ('Terminated', 'Error') ORDER BY job_id");
    const ids = records.map(({ nativeId }) => Number(nativeId)).sort((a, b) => a - b);
    expect(ids.join('\n')).toBe(ended.trim());
    expect(records.some(({ startAt, outcome }) => startAt === null && outcome === 'CANCELLED')).toBe(true);
    expect((await adapter.history(nextSince)).nextSince).toBeGreaterThanOrEqual(nextSince);
  });
});
