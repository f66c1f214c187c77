import { type Command, Option } from 'commander';
import { about } from './failure.ts';
import { parseSizes, parseSpeedup } from './parse/choices.ts';
import { parseDuration } from './parse/duration.ts';
import { parseProbability } from './parse/number.ts';
import { parseMebibytes } from './parse/resources.ts';
import { parseMail } from './parse/site-requests.ts';
import { count, many } from './runs.ts';

/** What `--directives` is about. */
export const DIRECTIVES = 'of #SBATCH, #PBS, #$ and #OAR lines: honour them, or warn, which is the default';
/** Said below what is wrong with a command line. */
export const HELP_HINT = '`gridcast <command> --help` lists what a command takes';

/**
 * Gives every command the options that all have, before or behind its name; one that a command defines itself stays its
 * own.
 */
export function addGlobalOptions(command: Command): void {
  const add = (flags: string, description: string) => {
    const [long] = flags.split(' ');
    if (!command.options.some((option) => option.long === long)) command.option(flags, description);
  };
  add('--json', 'print JSON: one document; watch prints an object a line');
  add('--url <url>', 'address of the service (GRIDCAST_URL)');
  add('--token <token>', 'bearer token (GRIDCAST_TOKEN)');
  for (const subcommand of command.commands) addGlobalOptions(subcommand);
}

/** Lets every option say its name when its value cannot be read. */
export function nameOptions(command: Command): void {
  for (const option of command.options) {
    const { parseArg, long } = option;
    if (parseArg) option.argParser((text, before) => about(long ?? option.flags, () => parseArg(text, before)));
  }
  for (const subcommand of command.commands) nameOptions(subcommand);
}

/** For commands whose script has arguments: how those that look like options get through. */
export function withArguments(command: Command): Command {
  const words = "options of the script itself go behind --, after gridcast's own: SCRIPT -- -x 1";
  return command.addHelpText('after', `\n${words}`).showHelpAfterError(`${HELP_HINT}; ${words}`);
}

/** With what is asked of its sites beside its size. */
export function withSiteRequests(command: Command): Command {
  return command
    .option('--account <name>', 'account that pays, at every site')
    .option('--qos <name>', 'quality of service, at every site')
    .option('--site-reservation <name>', "a reservation of the site's own administrators")
    .option('--at-site <spec>', 'at one site: SITE,queue=Q,account=A,qos=Q,reservation=R; repeatable', many)
    .option('--env <name=value>', 'a variable of its environment; repeatable', many)
    .option('--work-folder <path>', 'folder at the site in which it starts')
    .option('--mail <address[:begin,end,fail]>', 'mails that the site writes; of the end unless told', parseMail);
}

/** With sizes among which the plan chooses. */
export function withChoices(command: Command): Command {
  return command
    .option(
      '--sizes <list>',
      'may also run at these sizes: 4,8,16 or 4..64 (powers of two), 4..8:all, history',
      parseSizes,
    )
    .option('--speedup <model>', 'runtime at other sizes: amdahl:SERIAL-SHARE or downey:A,SIGMA', parseSpeedup);
}

/**
 * With what the work needs beside processors and walltime.
 * @param processes the option for how many of them its launcher starts; of an array `--tasks` says something else
 */
export function withResources(command: Command, processes: '--tasks <n>' | '--processes <n>' = '--tasks <n>'): Command {
  return command
    .option('--nodes <n>', 'spread over so many nodes; as few as hold it unless told', count)
    .option(processes, 'processes that its own launcher starts; one unless told', count)
    .option('--tasks-per-node <n>', 'of them at most on each node', count)
    .option('--processors-per-task <n>', 'processors of each of them', count)
    .option('--memory-per-node <size>', 'memory on each node: 4G, 512M', parseMebibytes)
    .option('--memory-per-processor <size>', 'memory for each processor, in place of that', parseMebibytes)
    .option('--gpus <n>', 'GPUs in all', count)
    .option('--gpu-kind <name>', 'kind of these GPUs, as the site names it')
    .option('--constraint <feature>', 'feature that each node must have; repeatable', many)
    .option('--exclusive', 'no other job on its nodes')
    .option('--licence <name[:count]>', 'a licence of the site; repeatable', many)
    .option('--tmp-per-node <size>', 'local disk space on each node', parseMebibytes);
}

/** With the queue, and the sites among which the plan chooses. */
export function placed(command: Command): Command {
  return command
    .option('-q, --queue <name>', 'queue at every site')
    .option('-s, --site <name>', 'allowed site; repeatable, every site otherwise', many);
}

/** With sites that are out, what a site must have, and what is asked there. */
export function narrowed(command: Command): Command {
  return withSiteRequests(command)
    .option('--exclude-site <name>', 'a site that may not take it; repeatable', many)
    .option('--tag <tag>', 'a tag that the site must bear; repeatable', many);
}

/** With a walltime that the service may choose, and where it may go. */
export function risked(command: Command): Command {
  return narrowed(placed(command))
    .option('--risk <p>', 'walltime auto: accepted probability of being killed by it, 5% or 0.05', parseProbability)
    .option('--walltime-at-most <duration>', 'walltime auto: never ask for more', parseDuration);
}

/** Of a command whose JSON leaves long lists out. */
export function full(command: Command): Command {
  return command.option('--full', "with --json: trajectories and a plan's candidates too");
}

/** An option that takes a duration. @param usual the one without it, as people write it */
export function durationOption(name: string, description: string, usual: string): Option {
  return new Option(`${name} <duration>`, description).argParser(parseDuration).default(parseDuration(usual), usual);
}
