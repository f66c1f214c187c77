import type { Command } from 'commander';
import { DIRECTIVES, risked, withArguments, withResources } from './common-options.ts';
import { parseDuration } from './parse/duration.ts';
import { parseMoment } from './parse/moment.ts';
import { parseNumber, parseWhole } from './parse/number.ts';
import { parseMebibytes } from './parse/resources.ts';
import { parseWalltime } from './parse/work.ts';
import { count, many, natural, runs } from './runs.ts';

/** The commands about many jobs at once. */
export function addArrays(program: Command): void {
  const array = program
    .command('submit-array <script> [arguments...]')
    .description('run a script many times; {index} in an argument and GRIDCAST_TASK_INDEX tell each run its number');
  withFinding(risked(withResources(withArguments(array), '--processes <n>')))
    .requiredOption('--tasks <n>', 'how many times, up to 10000', count)
    .option('--first <n>', 'index of the first', natural, 0)
    .option('--step <n>', 'from one index to the next', count, 1)
    .option('--limit <n>', 'so many at sites at once; as many as these take unless told', count)
    .option('-n, --processors <n>', 'processors of each', count)
    .option('-t, --walltime <duration>', 'walltime of each: 90m, 6h, or auto with --risk', parseWalltime)
    .option('--directives <use>', DIRECTIVES)
    .option('--name <text>', "name of the tasks; the script's file name otherwise")
    .option('--stage-in <path=url>', 'move that file into the folder of each first; repeatable', many)
    .option(
      '--stage-out <path=url>',
      'move that file out of it after the end, with {index} in its URL; repeatable',
      many,
    )
    .option('--keep-work-folder', 'keep the folders')
    .option('--key <text>', 'idempotency key: the same key and input get the same answer')
    .action(runs(async () => (await import('./commands/arrays.ts')).runSubmitArray));
  program
    .command('wait <group>')
    .description(
      'wait for the last task of an array; ends with 0 when all completed, 4 when not, 5 when all were cancelled',
    )
    .action(runs(async () => (await import('./commands/arrays.ts')).runWait));
  withFilter(program.command('jobs').description('the jobs that meet every condition given, newest first'))
    .option('--last <n>', 'how many, up to 100', (text: string) => parseWhole(text, 1, 100), 20)
    .action(runs(async () => (await import('./commands/jobs.ts')).runJobs));
  withFilter(program.command('cancel-jobs').description('cancel all open jobs that meet every condition given'))
    .option('--expect <n>', 'how many these are; without it they are only counted', natural)
    .option('--idempotency-key <text>', 'the same key and input get the same answer')
    .action(runs(async () => (await import('./commands/jobs.ts')).runCancelJobs));
}

/** With labels, and when it is run again. */
export function withFinding(command: Command): Command {
  return command
    .option('--label <name=value>', 'a label to find it by; repeatable', many)
    .option('--retry <ends>', 'run it again after these: node-fail,preempted,timeout,out-of-memory,failed')
    .option('--attempts <n>', 'with --retry: so often in all, 3 unless told', count)
    .option('--retry-walltime-most <duration>', 'with --retry timeout: never ask for more', parseDuration)
    .option(
      '--retry-memory-factor <n>',
      'with --retry out-of-memory: so many times the memory, 2 unless told',
      parseNumber,
    )
    .option('--retry-memory-most <size>', 'with --retry out-of-memory: never ask for more; 4G, 512M', parseMebibytes);
}

function withFilter(command: Command): Command {
  return command
    .option('--name <text>', 'of that name')
    .option('--label <name=value>', 'with that label; repeatable', many)
    .option('--state <state>', 'in that state; repeatable', many)
    .option('--outcome <outcome>', 'ended like that; repeatable', many)
    .option('-s, --site <name>', 'at that site')
    .option('--group <id>', 'a task of that group')
    .option('--key <text>', 'that came with that idempotency key')
    .option('--since <moment>', 'asked for then or later: 2026-11-20T14:00:00Z', parseMoment)
    .option('--until <moment>', 'asked for before', parseMoment)
    .option('--ended-since <moment>', 'ended then or later', parseMoment)
    .option('--ended-until <moment>', 'ended before', parseMoment);
}
