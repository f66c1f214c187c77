import { describe, expect, type TestContext, test } from 'vitest';
import { MAX_OUTPUT_BYTES, type OutputRequest } from '../../../src/domain/job-output.ts';
import type { Lacking } from './site-under-test.ts';
import { freshKey, need, type Visitor } from './visitor.ts';

/** What jobs write is read as they wrote it, each job's its own. */
export function describeOutputs(visitor: () => Visitor): void {
  describe('outputs', () => {
    test('both streams of a job are read while it runs and after its end, from anywhere in them', async (context) => {
      const read = reader(visitor(), context);
      const script = "#!/bin/sh\necho 'first line'\necho 'a warning' >&2\nsleep 8\necho 'last line'\n";
      const { key, ref } = await visitor().submit({ script });
      await visitor().untilState(ref, 'RUNNING');
      await visitor().site.until('the first line is there', async () => (await read({ key })) !== '');
      expect(await read({ key })).toBe('first line\n');
      expect(await read({ key, stream: 'STDERR' })).toBe('a warning\n');
      await visitor().untilState(ref, 'ENDED');
      expect(await read({ key })).toBe('first line\nlast line\n');
      expect(await read({ key, offset: 6, limit: 9 })).toBe('line\nlast');
      expect(await read({ key, offset: 21 })).toBe('');
      expect(await read({ key, offset: 5000 })).toBe('');
    });

    test('a job that has written nothing has no output, and no other job has its', async (context) => {
      const read = reader(visitor(), context);
      const [quiet, loud] = await Promise.all([
        visitor().submit(),
        visitor().submit({ script: '#!/bin/sh\necho loud\n' }),
      ]);
      await Promise.all([quiet, loud].map(({ ref }) => visitor().untilState(ref, 'ENDED')));
      expect(await read({ key: quiet.key })).toBe('');
      expect(await read({ key: loud.key })).toBe('loud\n');
      expect(await visitor().site.adapter.readOutput?.(whole(freshKey()))).toBeNull();
    });
  });
}

const whole = (key: string): OutputRequest => ({ key, stream: 'STDOUT', offset: 0, limit: MAX_OUTPUT_BYTES });

/** Reads text; empty as long as there is none. */
function reader({ site }: Visitor, context: TestContext) {
  const { adapter } = site;
  const lacking: Lacking = { lacks: 'nothing reads files there' };
  const readOutput = need<NonNullable<typeof adapter.readOutput>>(
    context,
    adapter.readOutput?.bind(adapter) ?? lacking,
  );
  return async ({ key, ...wanted }: Partial<OutputRequest> & { key: string }): Promise<string> => {
    const piece = await readOutput({ ...whole(key), ...wanted });
    return Buffer.from(piece?.bytes ?? []).toString();
  };
}
