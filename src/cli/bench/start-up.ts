import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../main/project-root.ts';
import type { Bench, BenchRow } from './bench.ts';

const ROUNDS = 10;
const COMMANDS = [['--version'], ['--help'], ['submit', '--help']] as const;

/** How long the command line takes to come up, over ten starts of each command. */
export const startUpBench: Bench = {
  name: 'start-up',
  describe: 'wall time of commands that do nothing, ten starts each',
  async run({ onProgress }) {
    const entry = join(projectRoot(), 'bin', 'gridcast.mjs');
    const rows: BenchRow[] = [];
    for (const [index, args] of COMMANDS.entries()) {
      const milliseconds = Array.from({ length: ROUNDS }, () => timeOf(entry, args)).sort((a, b) => a - b);
      rows.push({
        command: `gridcast ${args.join(' ')}`,
        medianMilliseconds: Math.round(milliseconds[ROUNDS / 2] ?? 0),
        longestMilliseconds: Math.round(milliseconds.at(-1) ?? 0),
      });
      onProgress(index + 1, COMMANDS.length, args.join(' '));
    }
    return rows;
  },
};

function timeOf(entry: string, args: readonly string[]): number {
  const startedAt = performance.now();
  const { status } = spawnSync(process.execPath, [entry, ...args], { stdio: 'ignore' });
  if (status !== 0) throw new Error(`gridcast ${args.join(' ')} exited with ${status}`);
  return performance.now() - startedAt;
}
