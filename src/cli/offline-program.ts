import { type Command, Option } from 'commander';
import { durationOption } from './common-options.ts';
import { parseNumber, parsePositive } from './parse/number.ts';
import { count, many, natural, runs } from './runs.ts';

/** The commands that need no service. */
export function addOffline(program: Command): void {
  addSource(program.command('simulate'))
    .description('schedule a log, or a generated workload, under a policy')
    .option('--policy <name>', 'fcfs, easy, easy-sjbf, conservative, sjf, sjf-easy or wfp', 'easy')
    .option('--ties <rule>', 'what happens first at one moment: ends-first or pyss', 'ends-first')
    .option('--csv <file>', 'write start and end of every job')
    .action(runs(async () => (await import('./commands/simulate.ts')).runSimulate));
  addWorkers(addGenerated(program.command('experiment [name]')))
    .description("compute a paper's table again; without a name, what there is")
    .option('--set <parameter=value>', 'a parameter of the experiment; repeatable', many)
    .option('--share <percent>', 'varq: how many of the jobs become reservations (table 4)', parseNumber)
    .option('--cap <multiple>', "varq: most that is paid, in multiples of the job's own work", parsePositive)
    .option('--peer <file>', 'wait: forecasts of another program, CSV with job, point, p1 ... p99; repeatable', many)
    .option('--trace <file>', 'the log, as for simulate; co-allocation and sites take one a site, repeatable', many)
    .option('--threads <n>', 'parts computed at a time', count)
    .option('--json [file]', 'print one JSON document, or write it to a file')
    .option('--csv <file>', 'write a CSV')
    .option('--html <file>', 'write one self-contained page with tables and plots')
    .option('--tuned <file>', 'parameters of a predictor, as tune --json wrote them; repeatable', many)
    .action(runs(async () => (await import('./commands/experiment.ts')).runExperimentCommand));
  addWorkers(program.command('tune <predictor>'))
    .description('tune a predictor on the validation sets of logs (jobs 16,000 to 19,999)')
    .requiredOption('--trace <file>', 'the log; repeatable, to tune for all of them together', many)
    .option('--every <n>', 'score only every nth validation job', count, 1)
    .option('--json [file]', 'print one JSON document, or write it to a file for --tuned and GRIDCAST_TUNED')
    .action(runs(async () => (await import('./commands/tune.ts')).runTune));
  program
    .command('experiment-worker [url]')
    .description("compute parts of other machines' experiments, from the Redis at this address (REDIS_URL)")
    .requiredOption('--traces <folder>', 'where the logs are that parts read; they are told by name and checksum')
    .option('--threads <n>', 'parts computed at a time', count)
    .action(runs(async () => (await import('./commands/experiment-worker.ts')).runExperimentWorker));
  addBench(program);
}

function addBench(program: Command): void {
  program
    .command('bench [names...]')
    .description('measure this machine; without names, what there is to measure')
    .option('--seconds <n>', 'how long each one runs', count)
    .option('--redis', 'queues in the Redis of REDIS_URL too')
    .option('--all', 'all of them')
    .option('--traces <dir>', "folder with the archive's logs, for the simulator bench")
    .option('--slurm <files...>', 'configurations of Slurm sites that may be given jobs, for the slurm bench')
    .option('--sites <n>', 'how many sites, for sites, restore and rows; repeatable', (text, before: number[] = []) => [
      ...before,
      count(text),
    ])
    .action(runs(async () => (await import('./commands/bench.ts')).runBench));
}

function addWorkers(command: Command): Command {
  return command
    .addOption(
      new Option('--workers <url>', 'compute the parts on experiment workers, by the Redis at this address').conflicts(
        'threads',
      ),
    )
    .addOption(durationOption('--part-time', 'with --workers: a part that takes longer ends the run', '24h'))
    .addOption(durationOption('--patience', 'with --workers: for how long none of them may be there', '10m'));
}

function addSource(command: Command): Command {
  return addGenerated(
    command.option('--trace <file>', 'the log: SWF, sacct -P or CSV, plain or gzip; a generated workload without it'),
  );
}

function addGenerated(command: Command): Command {
  return command
    .option('--processors <n>', "size of the machine; the log's header says it otherwise", count)
    .option('--from <n>', 'first job to take, from 0', natural)
    .option('--jobs <n>', 'how many jobs to take', count)
    .option('--load <share>', 'generated: load of the machine', parsePositive, 0.7)
    .option('--seed <n>', 'seed', count, 1);
}
