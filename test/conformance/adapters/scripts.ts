import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withHoldPreamble } from '../../../src/plan/hold-preamble.ts';
import { need, type Visitor } from './visitor.ts';

/** Characters that shells, batch systems and encodings are known to trip over. */
const AWKWARD = [
  `'single' "double" \`backtick\``,
  `$HOME $\{HOME} $(touch CANARY) \`touch CANARY\` $((1+1))`,
  '\\ \\n \\\\ %s %% %j !! ; & | < > * ? [a] {b,c} ~ #',
  '\ttab, trailing blanks   ',
  '#SBATCH --array=1-3',
  '#SBATCH --job-name=somebody-else',
  '#$ -t 1-3',
  '#PBS -N somebody-else',
  '#OAR -n somebody-else',
  '-leading --dashes -- -',
  'EOF',
  'Übermaß 日本語 🜚 \u202e \u00a0 \ufeff',
  'carriage return\r',
];

/** What is in a script arrives byte for byte, and the hold's preamble holds. */
export function describeScripts(visitor: () => Visitor): void {
  describe('scripts', () => {
    test.for<[string, string[]]>([
      ['without arguments', []],
      ['with arguments', [...AWKWARD, '', 'two\nlines']],
    ])('a script with every awkward character arrives byte for byte: %s', async ([, words], context) => {
      const { site } = visitor();
      const folder = need(context, site.sharedFolder);
      const result = join(folder, randomUUID());
      const canary = join(folder, `canary-${randomUUID()}`);
      const awkward = AWKWARD.map((line) => line.replaceAll('CANARY', canary));
      const given = words.map((word) => word.replaceAll('CANARY', canary));
      const script = [
        '#!/bin/sh',
        ...awkward.map((line) => (line.startsWith('#') ? line : `# ${line}`)),
        `cat "$0" > '${result}.script'`,
        `printf '%s\\0' "$@" > '${result}.arguments'`,
        `mv '${result}.arguments' '${result}'`,
        "cat <<'END_OF_TEXT'",
        ...awkward,
        'END_OF_TEXT',
        '',
      ].join('\n');
      const { key, ref } = await visitor().submit({ name: AWKWARD.join(' '), script, arguments: given });
      expect(await visitor().untilState(ref, 'ENDED')).toMatchObject({ outcome: 'COMPLETED', exitCode: 0 });
      await site.until('the script has left its result', async () => existsSync(result));
      expect(readFileSync(`${result}.script`, 'utf8')).toBe(script);
      expect(readFileSync(result, 'utf8')).toBe(given.map((word) => `${word}\0`).join('') || '\0');
      expect(existsSync(canary)).toBe(false);
      expect(await site.adapter.find(key, ref.submittedAt)).toMatchObject({ nativeId: ref.nativeId });
    });

    test('a script that is to hold begins its work at its moment and not before', async () => {
      const { site } = visitor();
      const holdUntilAt = Math.ceil(site.now()) + 12;
      const script = withHoldPreamble('#!/bin/sh\nsleep 2\nexit 7\n', holdUntilAt);
      const { ref } = await visitor().submit({ script });
      expect((await visitor().untilState(ref, 'RUNNING')).startAt).toBeLessThan(holdUntilAt);
      const ended = await visitor().untilState(ref, 'ENDED');
      expect(ended).toMatchObject({ outcome: 'FAILED', exitCode: 7 });
      expect(ended.endAt).toBeGreaterThanOrEqual(holdUntilAt + 2);
      expect(ended.endAt).toBeLessThan(holdUntilAt + 20);
    });
  });
}
