import type { Command } from 'commander';
import { parsePositive } from './parse/number.ts';
import { count, many, natural, runs } from './runs.ts';

/** The commands that run the service, or look after it on its own machine. */
export function addService(program: Command): void {
  addDemo(program);
  addProcesses(program);
  addTokens(program);
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
    .command('restored')
    .description(
      'say, before a worker starts, that the database is a backup: jobs are looked for before any is handed in',
    )
    .action(runs(async () => (await import('./commands/restored.ts')).runRestored));
  program
    .command('simulated-sites')
    .description('serve simulated sites for the adapter `simulator`')
    .requiredOption('--config <file>', 'JSON: port, journalFolder, sites')
    .action(runs(async () => (await import('./commands/processes.ts')).runSimulatedSitesCommand));
}

function addTokens(program: Command): void {
  program
    .command('console')
    .description('print a link that signs a browser in to the console, once and within ten minutes')
    .action(runs(async () => (await import('./commands/console.ts')).openConsole));
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
