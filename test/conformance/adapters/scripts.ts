import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Rejected } from '../../../src/domain/failures.ts';
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
  'carriage\rreturn',
];

/** What is in a script arrives byte for byte, and the hold's preamble holds. */
export function describeScripts(visitor: () => Visitor): void {
  describe('scripts', () => {
    test.for<[string, string[]]>([
      ['without arguments', []],
      ['with arguments', [...AWKWARD, '', 'two\nlines']],
    ])('a script with every awkward character arrives byte for byte: %s', async ([, words], context) => {
      const arrival = await arrive(visitor(), need(context, visitor().site.sharedFolder), AWKWARD, words);
      expect(arrival.script).toBe(arrival.givenScript);
      expect(arrival.words).toBe(arrival.givenWords);
      expect(arrival.hasCanary).toBe(false);
    });

    test('a script with DOS line ends arrives byte for byte or is rejected, but never altered', async (context) => {
      const folder = need(context, visitor().site.sharedFolder);
      const arrival = await arrive(visitor(), folder, ['of another system\r'], []).catch((error: unknown) => error);
      if (arrival instanceof Rejected) expect(arrival.siteSays).toMatch(/line breaks/i);
      else expect(arrival).toMatchObject({ script: (arrival as Arrival).givenScript });
    });

    test('a script that is to hold begins its work at its moment and not before', async () => {
      const { site } = visitor();
      const holdUntilAt = Math.ceil(site.now()) + site.startsWithinSeconds;
      const script = withHoldPreamble('#!/bin/sh\nsleep 2\nexit 7\n', holdUntilAt);
      const { ref } = await visitor().submit({ script });
      expect((await visitor().untilState(ref, 'RUNNING')).startAt).toBeLessThan(holdUntilAt);
      const ended = await visitor().untilState(ref, 'ENDED');
      expect(ended).toMatchObject({ outcome: 'FAILED', exitCode: 7 });
      expect(ended.endAt).toBeGreaterThanOrEqual(holdUntilAt + 2);
      expect(ended.endAt).toBeLessThan(holdUntilAt + 30);
    });
  });
}

/** What reached a job, beside what was handed in. */
interface Arrival {
  readonly givenScript: string;
  readonly givenWords: string;
  readonly script: string;
  readonly words: string;
  readonly hasCanary: boolean;
}

/** Hands in a script that copies itself and its arguments to where the test can read them. */
async function arrive(
  visitor: Visitor,
  folder: string,
  lines: readonly string[],
  words: readonly string[],
): Promise<Arrival> {
  const { site } = visitor;
  const result = join(folder, randomUUID());
  const canary = join(folder, `canary-${randomUUID()}`);
  const withCanary = (text: string) => text.replaceAll('CANARY', canary);
  const awkward = lines.map(withCanary);
  const script = [
    '#!/bin/sh',
    ...awkward.map((line) => (line.startsWith('#') ? line : `# ${line}`)),
    `cat "$0" > '${result}.script'`,
    `printf '%s\\0' "$@" > '${result}.words'`,
    `mv '${result}.words' '${result}'`,
    "cat <<'END_OF_TEXT'",
    ...awkward,
    'END_OF_TEXT',
    '',
  ].join('\n');
  const name = withCanary(AWKWARD.join(' '));
  const { key, ref } = await visitor.submit({ name, script, arguments: words.map(withCanary) });
  expect(await visitor.untilState(ref, 'ENDED')).toMatchObject({ outcome: 'COMPLETED' });
  await site.until('the script has left its result', async () => existsSync(result));
  expect(await site.adapter.find(key, ref.submittedAt)).toMatchObject({ nativeId: ref.nativeId });
  return {
    givenScript: script,
    givenWords: words.map((word) => `${withCanary(word)}\0`).join('') || '\0',
    script: readFileSync(`${result}.script`, 'utf8'),
    words: readFileSync(result, 'utf8'),
    hasCanary: existsSync(canary),
  };
}
