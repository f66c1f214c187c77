import type { Command } from 'commander';
import { parseMoment } from './parse/moment.ts';
import { parseMail } from './parse/site-requests.ts';
import { parseTags } from './parse/work.ts';
import { runs } from './runs.ts';

/** The commands that are about sites and their histories. */
export function addSites(program: Command): void {
  const sites = program.command('sites').description('the sites: size, load, age of the facts, promises kept');
  sites
    .command('list', { isDefault: true })
    .description('every site')
    .action(runs(async () => (await import('./commands/sites.ts')).listSites));
  sites
    .command('show <name>')
    .description('one site: its queues, those closed to our jobs and why, maintenance, processors in service')
    .action(runs(async () => (await import('./commands/sites.ts')).showSite));
  addSiteChanges(sites);
  addSiteStanding(sites);
  sites
    .command('scores [name]')
    .description('how the predictors have done, everywhere or at one site')
    .action(runs(async () => (await import('./commands/sites.ts')).listScores));
  addImports(program);
}

function addSiteStanding(sites: Command): void {
  sites
    .command('defaults <name>')
    .description('what holds there for jobs that do not say it; for admins, set it anew as a whole')
    .option('--tenant <name>', 'for the jobs of this tenant; for those of every tenant otherwise')
    .option('--all', 'show what is set for every tenant, for admins')
    .option('--queue <name>', 'queue')
    .option('--account <name>', 'account that pays')
    .option('--qos <name>', 'quality of service')
    .option('--site-reservation <name>', "a reservation of the site's own administrators")
    .option('--work-folder <path>', 'folder in which jobs start')
    .option('--mail <address[:begin,end,fail]>', 'mails that the site writes', parseMail)
    .option('--clear', 'set nothing any more')
    .action(runs(async () => (await import('./commands/site-standing.ts')).runSiteDefaults));
  sites
    .command('identities <name>')
    .description('as whom the jobs of each tenant run there, and whether that works; for admins')
    .action(runs(async () => (await import('./commands/site-standing.ts')).runSiteIdentities));
}

function addSiteChanges(sites: Command): void {
  sites
    .command('register <name>')
    .description('register a site')
    .requiredOption('--adapter <name>', 'how it is reached, for example simulator')
    .requiredOption('--configuration <json>', "the adapter's configuration, or @FILE")
    .option('--tags <list>', 'what it has that jobs may require, between commas: gaussian/16,scratch-nvme', parseTags)
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
    .description('rename a site, or change its tags or how it is reached')
    .option('--name <name>', 'its new name')
    .option('--configuration <json>', 'its whole new configuration, or @FILE')
    .option('--tags <list>', 'all its tags between commas, "" for none', parseTags)
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
}

function addImports(program: Command): void {
  const imports = program
    .command('import <site> <file>')
    .description('load the history of a site from a log, plain or gzip: SWF, accounting as CSV, `sacct -P`')
    .option(
      '--origin <moment>',
      'the moment the log calls 0, in accounting its first submission; it says it itself otherwise',
      parseMoment,
    )
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
