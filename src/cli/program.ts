import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { projectRoot } from '../main/project-root.ts';
import { addGlobalOptions, HELP_HINT, nameOptions, withArguments } from './common-options.ts';
import { addOffline } from './offline-program.ts';
import { parseDuration } from './parse/duration.ts';
import { parseMoment } from './parse/moment.ts';
import { parseNumber, parsePositive, parseProbability, parseWhole } from './parse/number.ts';
import { count, many, natural, runs } from './runs.ts';

/** Every command of `gridcast`, its options and where its code is. Modules are loaded when their command runs. */
export function buildProgram(): Command {
  const program = new Command('gridcast')
    .description('A grid meta-scheduler that forecasts batch queues, makes promises about them and keeps score')
    .version(packageVersion())
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError(HELP_HINT);
  addDemo(program);
  addProcesses(program);
  addTokens(program);
  addSites(program);
  addForecasts(program);
  addRequests(program);
  addFollowing(program);
  addOffline(program);
  addCompletion(program);
  addGlobalOptions(program);
  nameOptions(program);
  return program;
}

function addDemo(program: Command): void {
  program
    .command('demo')
    .description('three simulated sites, the service, and a story: forecasts, a job, a reservation, an either-or')
    .option('--once', 'end when the story is told')
    .option('--resume', 'go on with the story where the last demo was interrupted')
    .option('--scale <n>', 'simulated seconds per real second', parsePositive)
    .option('--port <n>', 'port of the API', natural)
    .option('--seed <n>', 'seed of the generated workloads', count)
    .option('--data <folder>', 'folder of the demo (a sub-folder of GRIDCAST_DATA by default)')
    .option('--trace <file>', 'replay this SWF log at a site instead of a generated workload; repeatable', many)
    .option('--reservations <n>', 'instead of the story: so many reservations, promised against kept', count)
    .action(runs(async () => (await import('./commands/demo.ts')).runDemo));
}

function addProcesses(program: Command): void {
  program
    .command('serve')
    .description('the API; without DATABASE_URL the whole service on one machine: embedded PostgreSQL, API and worker')
    .option('--port <n>', 'port of the API (GRIDCAST_PORT)', natural)
    .option('--with-worker', 'a worker beside the API, where DATABASE_URL is set too')
    .action(runs(async () => (await import('./commands/serve.ts')).runServe));
  program
    .command('worker')
    .description('a worker, which plans, submits and observes; any number of them may share one database')
    .action(runs(async () => (await import('./commands/processes.ts')).runWorkerCommand));
  program
    .command('migrate')
    .description('bring the database to the newest schema')
    .action(runs(async () => (await import('./commands/migrate.ts')).runMigrate));
  program
    .command('simulated-sites')
    .description('serve simulated sites for the adapter `simulator`')
    .requiredOption('--config <file>', 'JSON: port, journalFolder, sites')
    .action(runs(async () => (await import('./commands/processes.ts')).runSimulatedSitesCommand));
}

function addTokens(program: Command): void {
  const token = program.command('token').description('bearer tokens, straight from the database');
  token
    .command('create')
    .description('make a token; its text is printed once and stored nowhere')
    .requiredOption('--tenant <name>', 'whose work it is')
    .requiredOption('--principal <name>', 'person or program; made when missing')
    .requiredOption('--role <role>', 'admin, gateway or workflow')
    .option('--expires <duration>', 'how long it is good: 12h, 90d, never', '90d')
    .option('--new-tenant', 'make the tenant when it is missing; the first one is always made')
    .action(runs(async () => (await import('./commands/token.ts')).createToken));
  token
    .command('list')
    .description('tokens that are good, newest first; never their texts')
    .option('--tenant <name>', 'only those of a tenant')
    .option('--all', 'also what is revoked or expired')
    .action(runs(async () => (await import('./commands/token.ts')).listTokens));
  token
    .command('revoke <id>')
    .description('take a token back, by its id or its text')
    .action(runs(async () => (await import('./commands/token.ts')).takeTokenBack));
}

function addSites(program: Command): void {
  const sites = program.command('sites').description('the sites: size, load, age of the facts, promises kept');
  sites
    .command('list', { isDefault: true })
    .description('every site')
    .action(runs(async () => (await import('./commands/sites.ts')).listSites));
  sites
    .command('show <name>')
    .description('one site: its queues, those closed to our jobs and why, maintenance, processors in service')
    .action(runs(async () => (await import('./commands/sites.ts')).showSite));
  sites
    .command('register <name>')
    .description('register a site')
    .requiredOption('--adapter <name>', 'how it is reached, for example simulator')
    .requiredOption('--configuration <json>', "the adapter's configuration, or @FILE")
    .option('--unchecked', 'keep it although it may not answer')
    .action(runs(async () => (await import('./commands/sites.ts')).registerSite));
  sites
    .command('check [name]')
    .description(
      "ask a site, or one that is not registered yet, everything that is only read, from the API's machine; nothing is kept",
    )
    .option('--adapter <name>', 'how it is reached, for a site that is not registered')
    .option('--configuration <json>', "the adapter's configuration, or @FILE")
    .action(runs(async () => (await import('./commands/check-site.ts')).runCheckSite));
  sites
    .command('update <name>')
    .description('rename a site, or change how it is reached')
    .option('--name <name>', 'its new name')
    .option('--configuration <json>', 'its whole new configuration, or @FILE')
    .action(runs(async () => (await import('./commands/sites.ts')).updateSite));
  sites
    .command('drain <name>')
    .description('give the site no more work')
    .option('--undo', 'give it work again')
    .action(runs(async () => (await import('./commands/sites.ts')).drainSite));
  sites
    .command('remove <name>')
    .description('use a site no more; what happened there stays')
    .option('--end-jobs', 'cancel our jobs there')
    .option('--force', 'at once, when it is being removed and does not answer: our jobs there are lost')
    .action(runs(async () => (await import('./commands/sites.ts')).removeSite));
  sites
    .command('scores [name]')
    .description('how the predictors have done, everywhere or at one site')
    .action(runs(async () => (await import('./commands/sites.ts')).listScores));
  const imports = program
    .command('import <site> <file>')
    .description('load the history of a site from an SWF log, plain or gzip')
    .option('--origin <moment>', 'the moment the log calls 0; its header says it otherwise', parseMoment)
    .action(runs(async () => (await import('./commands/import.ts')).runImport));
  imports
    .command('list <site>')
    .description('the logs that were taken into the history of a site')
    .action(runs(async () => (await import('./commands/import.ts')).listImports));
  imports
    .command('undo <id>')
    .description('take an import back: the records that it brought and nobody else has told of')
    .action(runs(async () => (await import('./commands/import.ts')).undoImport));
}

function sized(command: Command): Command {
  return command
    .requiredOption('-n, --processors <n>', 'processors', count)
    .requiredOption('-t, --walltime <duration>', 'walltime: 90m, 6h, 1:30:00', parseDuration)
    .option('-q, --queue <name>', "queue; each site's default otherwise")
    .option('-s, --site <name>', 'allowed site; repeatable, every site otherwise', many);
}

function addForecasts(program: Command): void {
  sized(program.command('forecast').description('how long a job would wait, site by site'))
    .option('-u, --user <name>', 'as that user of the site')
    .option('--within <duration>', 'also the probability to start within that time', parseDuration, 3600)
    .action(runs(async () => (await import('./commands/forecast.ts')).runForecast));
  sized(program.command('plan').description('where a job would go, and why; nothing is submitted'))
    .option('--deadline <moment>', 'must have ended by then: +6h or 2026-11-20T14:00:00Z', parseMoment)
    .action(runs(async () => (await import('./commands/plan.ts')).runPlan));
}

function work(command: Command): Command {
  return sized(withArguments(command))
    .option('--name <text>', "name of the job; the script's file name otherwise")
    .option('--key <text>', 'idempotency key: the same key and input get the same answer');
}

function promised(command: Command): Command {
  return command
    .requiredOption('--at <moment>', 'must be running then: +6h or 2026-11-20T14:00:00Z', parseMoment)
    .requiredOption('-p, --probability <p>', 'with at least this probability: 0.9 or 90%', parseProbability);
}

/** With the option for the long lists of its result. */
function full(command: Command): Command {
  return command.option('--full', "with --json: trajectories and a plan's candidates too");
}

function addRequests(program: Command): void {
  work(
    program
      .command('submit <script> [arguments...]')
      .description('run a script, - for standard input, at the site that is predicted best'),
  )
    .option('--deadline <moment>', 'must have ended by then', parseMoment)
    .action(runs(async () => (await import('./commands/submit.ts')).runSubmit));
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
  const together = program.command('co-allocate <script> [arguments...]').description('several machines at one time');
  promised(full(withArguments(together)))
    .requiredOption(
      '--rule <rule>',
      'all, any, at-least, or nested over the names of legs: all(any(a,b),at-least-2(c,d,e))',
    )
    .option('--at-least <k>', 'rule at-least: how many legs', count)
    .requiredOption('--leg <spec>', 'name=N,site=A,processors=8,walltime=2h,queue=Q; repeatable', many)
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
  program
    .command('cancel <id>')
    .description('cancel a job, reservation or co-allocation')
    .option('--key <text>', 'idempotency key')
    .action(runs(async () => (await import('./commands/cancel.ts')).runCancel));
}

function addFollowing(program: Command): void {
  full(program.command('status [id]'))
    .description('one job, reservation or co-allocation, or the newest of all, or the jobs at a site')
    .option('-s, --site <name>', 'the newest jobs at this site, reserved ones too')
    .option('--last <n>', 'how many of each, up to 100', (text: string) => parseWhole(text, 1, 100), 10)
    .action(runs(async () => (await import('./commands/status.ts')).runStatus));
  full(program.command('watch <id>'))
    .description('follow it until it is over; ends with 0 when that went well, 4 when not, 5 when it was cancelled')
    .action(runs(async () => (await import('./commands/watch.ts')).runWatch));
}

function addCompletion(program: Command): void {
  program
    .command('completion <shell>')
    .description('print a script that completes commands and options: bash, zsh or fish')
    .addHelpText('after', '\nbash and zsh: eval "$(gridcast completion bash)"; fish: gridcast completion fish | source')
    .action(async (shell: string) => {
      process.stdout.write((await import('./commands/completion.ts')).completionScript(program, shell));
    });
}

function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}
