import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Rejected } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { NativeRef, SiteAdapter } from '../../src/domain/site-adapter.ts';
import type { GridEngineCell } from '../lab/gridengine/cell.ts';
import { labMissing } from '../lab/lab.ts';
import { realTime } from './conformance/real-site.ts';
import {
  expectTextsToArrive,
  freshKey,
  GRID_ENGINE_LAB,
  type LiveGridEngine,
  SLEEP,
  startGridEngine,
  submitAmidLosses,
} from './gridengine-live.ts';
import { hostileStrings } from './hostile-strings.ts';

const MISSING = labMissing(GRID_ENGINE_LAB);
if (MISSING) test('Grid Engine, live', ({ skip }) => skip(MISSING));

describe.skipIf(MISSING)('Grid Engine, live', () => {
  let engine: LiveGridEngine;
  let cell: GridEngineCell;
  let adapter: SiteAdapter;

  beforeAll(async () => {
    engine = await startGridEngine();
    ({ cell, adapter } = engine);
  });
  afterAll(() => engine?.close());

  const inspect = async (ref: NativeRef) => (await adapter.inspect([ref])).get(ref.nativeId);
  const untilState = (ref: NativeRef, state: string) =>
    realTime.until(`${ref.nativeId} is ${state}`, async () => (await inspect(ref))?.state === state);

  describe('what callers write', () => {
    test('hostile texts arrive byte for byte as name, argument and script, and nothing else runs', async () => {
      await expectTextsToArrive(engine, 100);
    }, 240_000);

    test('none of them gets through as a queue, a key, or an id', async () => {
      const canary = join(engine.folder, 'canary');
      const texts = hostileStrings(500, canary).filter((text) => !/^[A-Za-z0-9][\w.-]*$/.test(text));
      const bystander = await adapter.submit(SLEEP, freshKey());
      const idsAtSite = async () => {
        const { waiting, running } = await adapter.snapshot();
        return { waiting: waiting.map((job) => job.nativeId), running: running.map((job) => job.nativeId) };
      };
      const bystanderAlone = { waiting: [], running: [bystander.nativeId] };
      await realTime.until('only the bystander is at the site', async () =>
        isDeepStrictEqual(await idsAtSite(), bystanderAlone),
      );
      for (const text of texts) {
        const asQueue = adapter.submit({ ...SLEEP, queue: text }, freshKey());
        await expect(asQueue).rejects.toBeInstanceOf(Rejected);
        await expect(adapter.submit(SLEEP, text)).rejects.toBeInstanceOf(Rejected);
        await expect(adapter.find(text, 0)).rejects.toBeInstanceOf(Rejected);
        expect((await adapter.inspect([{ nativeId: text, submittedAt: 0 }])).size).toBe(0);
        await adapter.cancel({ nativeId: text, submittedAt: 0 });
      }
      expect(await idsAtSite()).toEqual(bystanderAlone);
      expect(existsSync(canary)).toBe(false);
      await adapter.cancel(bystander);
    });

    test('directives in a script change nothing of the request', async () => {
      const script = `#!/bin/sh
#$ -N evil
#$ -t 1-3
#$ -l h_rt=7
#$ -q short.q
#$ -pe smp 4
#$ -h
sleep 3000
`;
      const key = freshKey();
      const ref = await adapter.submit({ ...SLEEP, script }, key);
      await untilState(ref, 'RUNNING');
      const { running } = await adapter.snapshot();
      expect(running.filter((job) => job.key === key)).toMatchObject([
        { nativeId: ref.nativeId, processors: 1, requestedWalltimeSeconds: 3600, queue: 'batch.q' },
      ]);
      await adapter.cancel(ref);
      await untilState(ref, 'ENDED');
    });

    test('a script is started as its first line says, also by a queue that would choose another shell', async () => {
      const result = join(engine.folder, 'python');
      const script = `#!/usr/bin/env python3\nimport sys\nopen(sys.argv[1], 'w').write(repr(sys.argv[2:]))\n`;
      const spec = { ...SLEEP, script, arguments: [result, 'a b', "'"], queue: 'short.q', walltimeSeconds: 60 };
      const ref = await adapter.submit(spec, freshKey());
      await untilState(ref, 'ENDED');
      expect(readFileSync(result, 'utf8')).toBe(`['a b', "'"]`);
    });
  });

  describe('states', () => {
    test('held, suspended, put back and in error are not ends, and each can be cancelled', async () => {
      const start = async (overrides: Partial<JobSpec> = {}) => {
        const key = freshKey();
        return { key, ref: await adapter.submit({ ...SLEEP, ...overrides }, key) };
      };
      const blocker = await start({ processors: 13 });
      const [held, suspended, putBack] = [await start({ processors: 16 }), await start(), await start()];
      for (const { ref } of [blocker, suspended, putBack]) await untilState(ref, 'RUNNING');
      cell.run(['qhold', held.ref.nativeId], { user: 'alice' });
      cell.run(['qmod', '-sj', suspended.ref.nativeId], { user: 'alice' });
      cell.run(['qmod', '-f', '-rj', putBack.ref.nativeId]);
      const { stdout } = cell.run(
        ['qsub', '-terse', '-N', 'gridcast.eqw-1', '-o', '/nonexistent/x', '-b', 'y', 'true'],
        {
          user: 'alice',
        },
      );
      const inError = { key: 'eqw-1', ref: { nativeId: stdout.trim(), submittedAt: Date.now() / 1000 } };
      await realTime.until('the job is in error', async () => / Eqw /.test(cell.run(['qstat', '-u', '*']).stdout));
      await realTime.until('the job is put back', async () =>
        /^ *\d+ .* Rq|Rr/m.test(cell.run(['qstat', '-u', '*']).stdout),
      );
      expect(await inspect(held.ref)).toMatchObject({ state: 'WAITING' });
      expect(await inspect(suspended.ref)).toMatchObject({ state: 'RUNNING' });
      expect(await inspect(inError.ref)).toMatchObject({ state: 'WAITING' });
      expect((await inspect(putBack.ref))?.state).toMatch(/WAITING|RUNNING/);
      for (const { key, ref } of [held, suspended, putBack, inError]) {
        expect(await adapter.find(key, ref.submittedAt)).toMatchObject({ nativeId: ref.nativeId });
        await adapter.cancel(ref);
        await untilState(ref, 'ENDED');
        expect((await inspect(ref))?.state).toBe('ENDED');
      }
      await adapter.cancel(blocker.ref);
    });
  });

  describe('accounting', () => {
    test('has no gap when the file is rotated and compressed', async () => {
      const [first, second] = [freshKey(), freshKey()];
      const since = Date.now() / 1000 - 5;
      const one = await adapter.submit({ ...SLEEP, script: '#!/bin/sh\n' }, first);
      await untilState(one, 'ENDED');
      renameSync(cell.files.accounting, `${cell.files.accounting}.0`);
      execFileSync('gzip', [`${cell.files.accounting}.0`]);
      expect((await adapter.history(since)).records.map(({ nativeId }) => nativeId)).toContain(one.nativeId);
      const two = await adapter.submit({ ...SLEEP, script: '#!/bin/sh\n' }, second);
      await untilState(two, 'ENDED');
      const seen = (await adapter.history(since)).records.map(({ nativeId }) => nativeId);
      expect(seen).toEqual(expect.arrayContaining([one.nativeId, two.nativeId]));
      expect(await adapter.find(first, one.submittedAt)).toMatchObject({ outcome: 'COMPLETED' });
      expect(await adapter.inspect([one, two])).toHaveProperty('size', 2);
    });

    // Last of those that run jobs: hosts take half a minute until they report to a master that is new.
    test('says what qacct says, also with the master down', async () => {
      const ref = await adapter.submit({ ...SLEEP, script: '#!/bin/sh\nexit 5\n', processors: 3 }, freshKey());
      await untilState(ref, 'ENDED');
      const { records } = await adapter.history(ref.submittedAt - 60);
      const record = records.find(({ nativeId }) => nativeId === ref.nativeId);
      await cell.killMaster();
      const qacct = cell.run(['qacct', '-j', ref.nativeId], { user: 'alice' }).stdout;
      const said = (name: string) => new RegExp(`^${name} +(.*?) *$`, 'm').exec(qacct)?.[1];
      expect(said('exit_status')).toBe('5');
      expect(record).toMatchObject({ user: said('owner'), queue: said('qname'), processors: Number(said('slots')) });
      expect(record?.startAt).toBe(Date.parse(said('start_time') ?? '') / 1000);
      expect(record?.endAt).toBe(Date.parse(said('end_time') ?? '') / 1000);
      const { records: again } = await adapter.history(ref.submittedAt - 60);
      expect(again).toContainEqual(record);
      await cell.startMaster();
    });
  });

  test('submissions with a fifth of the replies lost and the master killed: none twice, none lost', async () => {
    await submitAmidLosses(engine, 100);
  }, 600_000);
});
