import fc from 'fast-check';

/**
 * Texts that shells, batch systems, SQL, XML, JSON and encodings have been known to trip over. `CANARY` is a file's
 * path.
 */
const KNOWN = [
  '$(touch CANARY)',
  '`touch CANARY`',
  '; touch CANARY',
  '| touch CANARY',
  '&& touch CANARY #',
  '\ntouch CANARY\n',
  "'; touch CANARY; '",
  '"; touch CANARY; "',
  '\'"$(touch CANARY)"\'',
  '> CANARY',
  '%{touch CANARY}',
  "' OR 1=1; COPY jobs TO 'CANARY'; --",
  "x'); system('touch CANARY'); (",
  '@{[system("touch CANARY")]}',
  '$\u007bHOME}',
  '$HOME',
  '~',
  '*',
  '?',
  '[a-z]',
  '{a,b}',
  '!!',
  '\\',
  '\\\\',
  '\\n',
  '\t',
  '\r',
  '\r\n',
  '\n',
  ' ',
  '',
  '-',
  '--',
  '-h',
  '--help',
  '-N evil',
  '-l h_rt=1',
  '-sync y',
  '#$ -N evil',
  '#$ -t 1-9',
  '#$ -l h_rt=1',
  '#OAR -n evil',
  '#OAR -l walltime=0:0:1',
  '#PBS -N evil',
  '#SBATCH --job-name=evil',
  'shell_path=/bin/false',
  'x\nshell_path=/bin/false',
  'a:b:c:d:e:f:g:h:i:j:k:l:m',
  'a,b=c',
  'a=b',
  '%jobid%',
  '%j %A %x',
  '<job_list/>',
  ']]>',
  '&lt;&amp;&#0;',
  '{"state": "Terminated"}',
  'EOF',
  'GRIDCAST_END_OF_SCRIPT_0_',
  "GRIDCAST_END_OF_SCRIPT_0_\ntouch 'CANARY'\n",
  'Übermaß 日本語 🜚',
  '\u202e\u00a0\ufeff\u0301',
  '\u0001\u0007\u001b[31m\u007f',
  '$\u007bIFS}touch$\u007bIFS}CANARY',
  '--output=CANARY',
  '-oCANARY',
  '--wrap=touch CANARY',
  '\n#SBATCH --output=CANARY\n',
  '\n#SBATCH --array=1-3\n',
  '#SBATCH --wait',
  '\t tabs \v and \f feeds',
  'line\nfeed',
  '!! !$ ^a^b',
  '(null)',
  'None assigned',
  '|',
  '~0123456789ab~',
  '9999|RUNNING|gridcast.gc-0-1',
];

/**
 * So many different hostile texts, always the same; no NUL and no half of a surrogate pair, which are refused before.
 */
export function hostileStrings(count: number, canary: string): string[] {
  const piece = fc.oneof(fc.constantFrom(...KNOWN), fc.string({ unit: 'binary', maxLength: 12 }));
  const mixed = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
  const drawn = fc
    .sample(mixed, { numRuns: 4 * count, seed: 20_261_121 })
    .filter((text) => !/[\0\p{Surrogate}]/u.test(text));
  return [...new Set([...KNOWN, ...drawn])].slice(0, count).map((text) => text.replaceAll('CANARY', canary));
}
