import { randomInt } from 'node:crypto';

/** What has gone wrong somewhere at some time. `CANARY` is a file that must never come to be. */
function seeds(canary: string): string[] {
  return [
    `$(touch ${canary})`,
    `\`touch ${canary}\``,
    `; touch ${canary} ;`,
    `| touch ${canary}`,
    `&& touch ${canary}`,
    `\n touch ${canary} \n`,
    `'; touch ${canary}; '`,
    `"; touch ${canary}; "`,
    `\${IFS}touch\${IFS}${canary}`,
    `> ${canary}`,
    `--output=${canary}`,
    `-o${canary}`,
    `--wrap=touch ${canary}`,
    `\n#SBATCH --output=${canary}\n`,
    '\n#SBATCH --array=1-3\n',
    '#SBATCH --wait',
    '#PBS -N elsewhere',
    '-',
    '--',
    '-h',
    '--help',
    '%j %x %A %%',
    '\\',
    "'",
    '"',
    '\\n\\t\\0',
    '\t tabs \v and \f feeds',
    'line\nfeed',
    '\n',
    ' ',
    '*?[a-z]{a,b}~',
    '!! !$ ^a^b',
    'Übermaß 日本語 🜚 \u202e\u00a0\ufeff',
    '\u0001\u0002\u007f\u001b[31mred',
    'EOF',
    'GRIDCAST_END_OF_SCRIPT_0_',
    '(null)',
    'None assigned',
    '|',
    '~0123456789ab~',
    '9999|RUNNING|gridcast.gc-0-1',
  ];
}

/** So many different texts, made of the seeds and of each other. None contains NUL, which has a test of its own. */
export function hostileTexts(count: number, canary: string): string[] {
  const known = seeds(canary);
  const texts = new Set(known);
  while (texts.size < count) {
    const parts = Array.from({ length: randomInt(2, 5) }, () => known[randomInt(known.length)] ?? '');
    texts.add(parts.join(''));
  }
  return [...texts].slice(0, count);
}
