import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPbsAdapter } from '../../../adapters/pbs/pbs.ts';
import { Rejected, Unavailable, Unknown } from '../../../src/domain/failures.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/pbs', import.meta.url));
const SPEC = {
  name: 'x',
  script: '#!/bin/sh\n#PBS -N evil\n',
  arguments: ['a b'],
  processors: 4,
  walltimeSeconds: 61.5,
  queue: 'workq',
};

/** There is no PBS to talk to: programs of its names print its documents and keep what they were told. */
let folder: string;
let adapter: SiteAdapter;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-pbs-'));
  program(
    'qstat',
    `case "$*" in
  *'-x -F json 90.pbs'*) cat ${FIXTURES}/openpbs-finished.json ;;
  *-Q*) cat ${FIXTURES}/openpbs-queues.json ;;
  *-B*) echo '{"Server": {"pbs": {"default_queue": "workq"}}}' ;;
  *404.pbs*) echo '{"pbs_server": "pbs"}'; echo 'qstat: Unknown Job Id 404.pbs' >&2; exit 153 ;;
  *) cat ${FIXTURES}/openpbs-jobs.json ;; esac`,
  );
  program('pbsnodes', `cat ${FIXTURES}/openpbs-nodes.json`);
  program('pbs_rstat', `cat ${FIXTURES}/openpbs-reservations.txt`);
  program('qselect', 'case "$*" in *nobody*) ;; *) echo 90.pbs ;; esac');
  program('qsub', 'cat > "$0.stdin"; echo 104.pbs');
  program('qdel', 'echo "qdel: Unknown Job Id $1" >&2; exit 153');
  adapter = createPbsAdapter({ environment: { PATH: `${folder}:/usr/bin:/bin` }, workFolder: '/scratch' });
});
afterEach(async () => {
  await adapter.close();
  rmSync(folder, { recursive: true });
});

function program(name: string, body: string): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\0' "$@" > "$0.argv"\nprintf '%s' "$TZ" > "$0.zone"\n${body}\n`);
  chmodSync(file, 0o755);
}

function told(name: string): string[] {
  return readFileSync(join(folder, `${name}.argv`), 'utf8')
    .split('\0')
    .slice(0, -1);
}

describe('PBS, over its documents', () => {
  test('a submission: options, a script that calls its interpreter, nothing of the caller on the command line', async () => {
    expect(await adapter.submit(SPEC, 'gc-1-1')).toMatchObject({ nativeId: '104.pbs' });
    expect(told('qsub')).toEqual([
      ...['-C', '', '-S', '/bin/sh', '-N', 'gridcast.gc-1-1', '-l', 'select=1:ncpus=4', '-l', 'walltime=62'],
      ...['-q', 'workq', '-o', '/scratch/', '-e', '/scratch/'],
    ]);
    expect(readFileSync(join(folder, 'qsub.stdin'), 'utf8')).toMatch(
      /^#!\/bin\/sh\ngridcast_output='\/scratch\/gridcast\/[^']+'\n[\s\S]*\ngridcast_script=[\s\S]*\nexport GRIDCAST_PROCESSORS='4'\ngridcast_script=.*\nexec /,
    );
  });

  test.each([
    ['qsub: Unknown queue', 170, Rejected],
    ['qsub: Job violates queue and/or server resource limits', 188, Rejected],
    ['qsub: would exceed queue generic per-user limit', 65, Rejected],
    ['Connection refused\nqsub: cannot connect to server pbs (errno=15010)', 255, Unavailable],
    ['qsub: End of File', 255, Unknown],
    ['', 0, Unknown],
  ])('a submission answered by %j', async (words, status, kind) => {
    program('qsub', `printf '%s\\n' "${words}" >&2; exit ${status}`);
    await expect(adapter.submit(SPEC, 'gc-1-1')).rejects.toBeInstanceOf(kind);
  });

  test('texts that are no queue, no key, or have a NUL go nowhere', async () => {
    for (const change of [{ queue: '-W block=true' }, { queue: 'a,b' }, { script: '\0' }, { arguments: ['\0'] }]) {
      await expect(adapter.submit({ ...SPEC, ...change }, 'gc-1-1')).rejects.toBeInstanceOf(Rejected);
    }
    await expect(adapter.submit(SPEC, '$(x)')).rejects.toBeInstanceOf(Rejected);
    expect(() => told('qsub')).toThrow();
  });

  test('a snapshot, in UTC whatever the zone here', async () => {
    const snapshot = await adapter.snapshot();
    expect(snapshot).toMatchObject({ processors: 10, freeProcessors: 6 });
    expect(snapshot.running[0]).toMatchObject({ key: 'gc-11111111111111111111111111111111-1', processors: 4 });
    expect(snapshot.waiting).toMatchObject([
      { nativeId: '102.pbs', key: null, reason: null, estimatedStartAt: null },
      {
        nativeId: '104.pbs',
        reason: 'Not Running: Insufficient amount of resource: ncpus',
        estimatedStartAt: Date.parse('2022-10-04T20:23:31Z') / 1000,
      },
    ]);
    expect(snapshot.running[0]?.reason).toBeUndefined();
    expect(readFileSync(join(folder, 'qstat.zone'), 'utf8')).toBe('UTC');
  });

  test('of a job that runs without PBS saying since when no start is claimed, and it can be cancelled', async () => {
    const documents = readFileSync(join(FIXTURES, 'openpbs-jobs.json'), 'utf8').replace(/"stime":"[^"]*",/, '');
    writeFileSync(join(folder, 'untold.json'), documents);
    program('qstat', `cat '${folder}/untold.json'`);
    const ref = { nativeId: '101.pbs', submittedAt: Date.parse('2022-10-04T19:23:20Z') / 1000 };
    expect((await adapter.snapshot()).running.map(({ nativeId }) => nativeId)).not.toContain('101.pbs');
    expect((await adapter.inspect([ref])).size).toBe(0);
    program('qselect', 'echo 101.pbs');
    program('qstat', `sed '/"102.pbs"/,$d' '${folder}/untold.json' | sed '$s/},/}}}/'`);
    await expect(adapter.find('gc-11111111111111111111111111111111-1', 0)).rejects.toBeInstanceOf(Unavailable);
    await adapter.cancel(ref);
    expect(told('qdel')).toEqual(['101.pbs']);
  });

  test('facts', async () => {
    expect(await adapter.facts()).toMatchObject({
      processors: 18,
      queues: [
        { name: 'workq', isDefault: true, bar: null },
        { name: 'quick', bar: null },
        { name: 'closed', bar: 'DOWN' },
      ],
    });
    expect((await adapter.facts()).maintenance).toMatchObject([{ processors: null }, { processors: 4 }]);
    expect(readFileSync(join(folder, 'pbs_rstat.zone'), 'utf8')).toBe('UTC');
    expect(() => told('id')).toThrow();
  });

  test('who we are is asked where lists of users count, also of an account with a group that has no name', async () => {
    const listed = { queue_type: 'Execution', enabled: 'True', started: 'True', acl_group_enable: 'True' };
    const queues = { ours: { ...listed, acl_groups: 'physics' }, theirs: { ...listed, acl_groups: 'staff' } };
    writeFileSync(join(folder, 'queues.json'), JSON.stringify({ Queue: queues }));
    program('qstat', `case "$*" in *-Q*) cat '${folder}/queues.json' ;; *) echo '{"Server": {"pbs": {}}}' ;; esac`);
    const words = 'id: cannot find name for group ID 4000';
    program('id', `echo 'uid=7(alice) gid=7(alice) groups=7(alice),8(physics),4000'; echo '${words}' >&2; exit 1`);
    expect((await adapter.facts()).queues).toMatchObject([
      { name: 'ours', bar: null },
      { name: 'theirs', bar: 'FORBIDDEN', unusableBecause: 'its acl_groups leave out alice, physics' },
    ]);
    program('id', 'exit 1');
    await expect(adapter.facts()).rejects.toBeInstanceOf(Unavailable);
  });

  test('history and find read the jobs the server keeps', async () => {
    const { records } = await adapter.history(0);
    expect(told('qselect')).toEqual(['-x', '-s', 'F', '-tm.ge.', '197001010000.00']);
    expect(records.map(({ nativeId, outcome }) => `${nativeId} ${outcome}`)).toEqual([
      '91.pbs FAILED',
      '90.pbs COMPLETED',
      '94.pbs CANCELLED',
      '92.pbs CANCELLED',
      '93.pbs TIMEOUT',
    ]);
    expect(await adapter.find('gc-9-1', 0)).not.toBeNull();
    expect(told('qselect')).toEqual(['-x', '-N', 'gridcast.gc-9-1']);
    expect(await adapter.find('nobody', 0)).toBeNull();
  });

  test('an unknown job is in no answer and its cancelling no error; a job of another time is not meant', async () => {
    const unknown = { nativeId: '404.pbs', submittedAt: 5 };
    expect((await adapter.inspect([unknown])).size).toBe(0);
    await adapter.cancel(unknown);
    expect(() => told('qdel')).toThrow();
    const submittedAt = Date.parse('2022-10-04T19:23:20Z') / 1000;
    expect((await adapter.inspect([{ nativeId: '101.pbs', submittedAt }])).size).toBe(1);
    expect((await adapter.inspect([{ nativeId: '101.pbs', submittedAt: 5 }])).size).toBe(0);
    await adapter.cancel({ nativeId: '101.pbs', submittedAt });
    expect(told('qdel')).toEqual(['101.pbs']);
  });

  test('a server that is away is unavailable: an empty document is not an empty queue', async () => {
    program(
      'qstat',
      `echo '{"timestamp":1,"pbs_server":"pbs"}'; echo 'qstat: cannot connect to server pbs (errno=15010)' >&2; exit 255`,
    );
    await expect(adapter.snapshot()).rejects.toBeInstanceOf(Unavailable);
    await expect(adapter.inspect([{ nativeId: '1.pbs', submittedAt: 5 }])).rejects.toBeInstanceOf(Unavailable);
  });
});
