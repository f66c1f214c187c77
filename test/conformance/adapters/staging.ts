import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, type TestContext, test } from 'vitest';
import type { FolderAnswer, FolderRequest } from '../../../src/domain/job-folder.ts';
import { MAX_OUTPUT_BYTES } from '../../../src/domain/job-output.ts';
import type { Lacking } from './site-under-test.ts';
import { need, type Visitor } from './visitor.ts';

/** A job finds its files in a folder of its own, and what it leaves there is found. */
export function describeStaging(visitor: () => Visitor): void {
  describe('folders of jobs', () => {
    test('a job starts among the files that were moved to it, and what it writes there is read', async (context) => {
      const stage = stager(visitor(), context);
      const name = randomUUID();
      const bytes = randomBytes(300_000);
      const sum = createHash('sha256').update(bytes).digest('hex');
      const made = await stage({ verb: 'MAKE', name });
      const folder = made.said === 'FOLDER' ? made.folder : '';
      const path = "data/it's.bin";
      await stage({ verb: 'WRITE', name, path, offset: 0, bytes: bytes.subarray(0, 200_000) });
      const written = await stage({ verb: 'WRITE', name, path, offset: 200_000, bytes: bytes.subarray(200_000) });
      expect(written).toMatchObject({ said: 'FILE', sizeBytes: 300_000 });
      expect(await stage({ verb: 'LOOK', name, path, bytes: 300_000 })).toMatchObject({ sha256: sum });
      const script = `#!/bin/sh\nsha256sum < "data/it's.bin" > sum\ncat sum\n`;
      const { key, ref } = await visitor().submit({ script, workFolder: folder });
      await visitor().untilState(ref, 'ENDED');
      const told = await stage({ verb: 'READ', name, path: 'sum', offset: 0, limit: 64 });
      expect(told.said === 'PIECE' && Buffer.from(told.bytes).toString()).toBe(sum);
      const request = { key, stream: 'STDOUT', offset: 0, limit: MAX_OUTPUT_BYTES } as const;
      const output = await visitor().site.adapter.readOutput?.(request);
      expect(Buffer.from(output?.bytes ?? []).toString()).toContain(sum);
      expect(await stage({ verb: 'REMOVE', name })).toEqual({ said: 'REMOVED' });
      expect(await stage({ verb: 'LOOK', name, path: 'sum', bytes: 0 })).toEqual({ said: 'ABSENT' });
    });

    test('nothing leads out of a folder', async (context) => {
      const stage = stager(visitor(), context);
      const name = randomUUID();
      const made = await stage({ verb: 'MAKE', name });
      const folder = made.said === 'FOLDER' ? made.folder : '';
      const script = '#!/bin/sh\nln -s /etc folder\nln -s /etc/passwd link\n';
      const { ref } = await visitor().submit({ script, workFolder: folder });
      await visitor().untilState(ref, 'ENDED');
      for (const path of ['folder/passwd', 'link']) {
        expect(await stage({ verb: 'READ', name, path, offset: 0, limit: 9 })).toEqual({ said: 'REFUSED' });
        expect(await stage({ verb: 'WRITE', name, path, offset: 0, bytes: randomBytes(1) })).toEqual({
          said: 'REFUSED',
        });
      }
      const from = { verb: 'COPY', name, path: 'copy', from: '/etc/passwd', offset: 0, limit: 9 } as const;
      expect(await stage(from)).toEqual({ said: 'REFUSED' });
      await expect(stage({ verb: 'READ', name, path: '../x', offset: 0, limit: 9 })).rejects.toThrow();
      await stage({ verb: 'REMOVE', name });
    });
  });
}

function stager({ site }: Visitor, context: TestContext): (request: FolderRequest) => Promise<FolderAnswer> {
  const { adapter } = site;
  const lacking: Lacking = { lacks: 'no files are moved there' };
  return need<NonNullable<typeof adapter.stage>>(context, adapter.stage?.bind(adapter) ?? lacking);
}
