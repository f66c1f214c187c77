import type { Command } from 'commander';
import { full } from './common-options.ts';
import { parseWhole } from './parse/number.ts';
import { runs } from './runs.ts';

/** The commands that show how things stand, follow them, and show what jobs write. */
export function addFollowing(program: Command): void {
  full(program.command('status [id]'))
    .description('one job, reservation or co-allocation, or the newest of all, or the jobs at a site')
    .option('-s, --site <name>', 'the newest jobs at this site, reserved ones too')
    .option('--last <n>', 'how many of each, up to 100', (text: string) => parseWhole(text, 1, 100), 10)
    .action(runs(async () => (await import('./commands/status.ts')).runStatus));
  full(program.command('watch <id>'))
    .description('follow it until it is over; ends with 0 when that went well, 4 when not, 5 when it was cancelled')
    .action(runs(async () => (await import('./commands/watch.ts')).runWatch));
  program
    .command('logs <id>')
    .description('what a job has written, byte for byte')
    .option('-f, --follow', 'also what comes, until the job is over')
    .option('--stderr', 'its standard error in place of its standard output')
    .option('--offset <bytes>', 'leave out so many at the beginning', parseBytes, 0)
    .action(runs(async () => (await import('./commands/logs.ts')).runLogs));
}

const parseBytes = (text: string): number => parseWhole(text, 0, Number.MAX_SAFE_INTEGER);
