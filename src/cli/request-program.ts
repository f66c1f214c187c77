import type { Command } from 'commander';
import { withFinding } from './arrays-program.ts';
import {
  DIRECTIVES,
  durationOption,
  full,
  narrowed,
  placed,
  risked,
  withArguments,
  withChoices,
  withResources,
} from './common-options.ts';
import { parseDuration } from './parse/duration.ts';
import { parseMoment } from './parse/moment.ts';
import { parseNumber, parseProbability } from './parse/number.ts';
import { parseRisks, parseWalltime } from './parse/work.ts';
import { count, many, runs } from './runs.ts';

/** The commands that ask what would become of a job, and have it run. */
export function addRequests(program: Command): void {
  addForecasts(program);
  addSubmit(program);
  addReserve(program);
  addCoAllocate(program);
  addCancel(program);
}

function addForecasts(program: Command): void {
  described(sized(program.command('forecast').description('how long a job would wait, site by site')))
    .option('-u, --user <name>', 'as that user of the site')
    .addOption(durationOption('--within', 'also the probability to start within that time', '1h'))
    .action(runs(async () => (await import('./commands/forecast.ts')).runForecast));
  const advised = program.command('walltime').description('which walltime to ask for, at which risk of being killed');
  described(placed(withResources(advised)))
    .requiredOption('-n, --processors <n>', 'processors', count)
    .option('-t, --walltime <duration>', 'what would be asked for otherwise', parseDuration)
    .option('-u, --user <name>', 'as that user of the site')
    .option('--risk <list>', 'probabilities of being killed: 1%,5%,10%,20% unless told', parseRisks)
    .action(runs(async () => (await import('./commands/walltime.ts')).runWalltime));
  described(compared(timed(program.command('plan').description('where a job would go, and why; nothing is submitted'))))
    .option('--deadline <moment>', 'only where that is predicted: +6h or 2026-11-20T14:00:00Z', parseMoment)
    .option('--finish-by <moment>', 'only where that can be promised, with --probability', parseMoment)
    .option('-p, --probability <p>', 'with --finish-by, how surely: 0.9 or 90%', parseProbability)
    .option('--max-delay <duration>', MAX_DELAY, parseDuration)
    .option('--avoid-io-bursts <duration>', AVOID_IO_BURSTS, parseDuration)
    .action(runs(async () => (await import('./commands/plan.ts')).runPlan));
}

function addSubmit(program: Command): void {
  const submit = program.command('submit <script> [arguments...]');
  withFinding(
    compared(work(submit.description('run a script, - for standard input, at the site that is predicted best'))),
  )
    .option('--deadline <moment>', 'only where it is predicted to have ended by then; not promised', parseMoment)
    .option('--finish-by <moment>', 'promise that it has finished by then, with --probability', parseMoment)
    .option('-p, --probability <p>', 'with --finish-by, how surely: 0.9 or 90%', parseProbability)
    .option('--if-missed <policy>', 'with --finish-by, when it is late: cancel, which is the default, or run-late')
    .option('--after <id[:success]>', 'begin after that job, or group, has ended, or has completed; repeatable', many)
    .option('--start-after <id[:success]>', START_AFTER)
    .option('--max-delay <duration>', MAX_DELAY, parseDuration)
    .option('--avoid-io-bursts <duration>', AVOID_IO_BURSTS, parseDuration)
    .option('--stage-in <path=url>', "move that file into the job's folder first; repeatable", many)
    .option('--stage-out <path=url>', "move that file out of the job's folder after its end; repeatable", many)
    .option('--keep-work-folder', "leave the job's folder where it is")
    .action(runs(async () => (await import('./commands/submit.ts')).runSubmit));
  program
    .command('submit-now <id>')
    .description('submit a job at once that is held back')
    .option('--key <text>', 'idempotency key')
    .action(runs(async () => (await import('./commands/submit.ts')).runSubmitNow));
}

function addReserve(program: Command): void {
  promised(
    work(full(program.command('reserve <script> [arguments...]').description('have it running at a given time'))),
  )
    .option('--mode <mode>', 'when it starts early: hold, window or best-effort', 'hold')
    .option('--window-opens <moment>', 'mode window: the work may begin from then on', parseMoment)
    .option('--if-missed <policy>', 'when it is late: cancel, which is the default, or run-late')
    .option(
      '--max-padding <processor-seconds>',
      'pay at most that much for holding; unasked three times the work on average',
      parseNumber,
    )
    .option('--dry-run', 'show the offer, promise nothing')
    .action(runs(async () => (await import('./commands/reserve.ts')).runReserve));
}

function addCoAllocate(program: Command): void {
  const together = program.command('co-allocate <script> [arguments...]').description('several machines at one time');
  promised(narrowed(full(withArguments(together))))
    .requiredOption(
      '--rule <rule>',
      'all, any, at-least, or nested over the names of legs: all(any(a,b),at-least-2(c,d,e))',
    )
    .option('--at-least <k>', 'rule at-least: how many legs', count)
    .requiredOption(
      '--leg <spec>',
      'name=N,site=A,processors=8,walltime=2h,queue=Q,gpus=1,memory-per-node=4G; repeatable',
      many,
    )
    .option('--directives <use>', DIRECTIVES)
    .option('--if-leg-missed <what>', 'cancel-all, go-on or replace', 'cancel-all')
    .option('--most-sites-per-leg <n>', 'sites at which one leg may be tried; the first to start wins', count, 1)
    .option(
      '--max-padding <processor-seconds>',
      'pay at most that much for holding, each leg; unasked three times its work on average',
      parseNumber,
    )
    .option('--minimum-pessimistic <p>', 'least probability however the sites depend on each other', parseProbability)
    .option('--name <text>', 'name of the jobs')
    .option('--key <text>', 'idempotency key')
    .action(runs(async () => (await import('./commands/co-allocate.ts')).runCoAllocate));
}

function addCancel(program: Command): void {
  program
    .command('cancel <id>')
    .description('cancel a job, reservation or co-allocation')
    .option('--key <text>', 'idempotency key')
    .action(runs(async () => (await import('./commands/cancel.ts')).runCancel));
}

function sized(command: Command): Command {
  return placed(
    withResources(command)
      .requiredOption('-n, --processors <n>', 'processors', count)
      .requiredOption('-t, --walltime <duration>', 'walltime: 90m, 6h, 1:30:00', parseDuration),
  );
}

/** As large as that, with a walltime that the service may choose; its script may tell both. */
function timed(command: Command): Command {
  return risked(
    withResources(command)
      .option('-n, --processors <n>', 'processors', count)
      .option('-t, --walltime <duration>', WALLTIME, parseWalltime)
      .option('--directives <use>', DIRECTIVES),
  );
}

/** By what the ways to run it are compared, and what they keep to. */
function compared(command: Command): Command {
  return withChoices(command)
    .option('--objective <word>', 'earliest-finish, which is the default, earliest-start or least-charge')
    .option('--max-charge <processor-seconds>', 'charged at most that much, padding included', parseNumber)
    .option(
      '--max-risk <p>',
      'of being killed by the walltime or late for the deadline, at most: 5%',
      parseProbability,
    );
}

/** What it would run, for forecasts that heed it. */
function described(command: Command): Command {
  return command
    .option('--script <file>', 'what it would run, - for standard input: forecasts heed it, nobody keeps it')
    .option('--name <text>', "name of the job; the script's file name otherwise");
}

function work(command: Command): Command {
  return known(timed(withArguments(command)));
}

function known(command: Command): Command {
  return command
    .option('--name <text>', "name of the job; the script's file name otherwise")
    .option('--key <text>', 'idempotency key: the same key and input get the same answer');
}

function promised(command: Command): Command {
  return command
    .requiredOption('--at <moment>', 'must be running then: +6h or 2026-11-20T14:00:00Z', parseMoment)
    .requiredOption('-p, --probability <p>', 'with at least this probability: 0.9 or 90%', parseProbability);
}

/** With the option for the long lists of its result. */
const WALLTIME = 'walltime: 90m, 6h, 1:30:00, or auto with --risk';
const START_AFTER =
  'the same, submitted ahead of that end to start with it, on Slurm by commands or ssh and simulated sites; elsewhere like --after';
const AVOID_IO_BURSTS =
  "hold it back for so long at most, a day, so that it does not start into a burst of the site's IO; not at all unless told";
const MAX_DELAY =
  'hold it back for so long at most where it is predicted to end much sooner for that; not at all unless told';
