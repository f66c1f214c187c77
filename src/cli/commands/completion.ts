import type { Command } from 'commander';
import { CliFailure, EXIT } from '../failure.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What may follow one command: its subcommands and options, with what each is for. */
interface Words {
  /** The command's path below the program, empty for the program itself. */
  readonly path: string;
  readonly subcommands: readonly Word[];
  readonly options: readonly Word[];
}

interface Word {
  readonly text: string;
  readonly description: string;
}

/**
 * `gridcast completion SHELL`: a script that completes commands and options, made of the commands as they are.
 * @throws CliFailure for a shell that is not known
 */
export function completionScript(program: Command, shell: string): string {
  const known = SHELLS.find((name) => name === shell);
  if (known) return SCRIPTS[known](program.name(), wordsOf(program));
  throw new CliFailure(`there is no completion for "${shell}"`, EXIT.usage, `write one of: ${SHELLS.join(', ')}`);
}

const SCRIPTS: Readonly<Record<Shell, (name: string, words: readonly Words[]) => string>> = {
  bash: bashScript,
  zsh: (name, words) => `#compdef ${name}\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(name, words)}`,
  fish: fishScript,
};

function wordsOf(command: Command, path: readonly string[] = []): Words[] {
  const subcommands = command.commands.map((sub) => ({ text: sub.name(), description: sub.description() }));
  const options = command.options.flatMap(({ long, description }) => (long ? [{ text: long, description }] : []));
  options.push({ text: '--help', description: 'display help for command' });
  const own = { path: path.join(' '), subcommands, options };
  return [own, ...command.commands.flatMap((sub) => wordsOf(sub, [...path, sub.name()]))];
}

/**
 * Looks for the longest command that the words before the cursor name, and offers what may follow it; files where
 * nothing fits.
 */
function bashScript(name: string, words: readonly Words[]): string {
  const cases = words.map(({ path, subcommands, options }) => {
    const offered = [...subcommands, ...options].map(({ text }) => text).join(' ');
    return `    '${path}') words='${offered}' ;;`;
  });
  const paths = words.map(({ path }) => `'${path}'`).join('|');
  return `_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' next word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$next" in
    ${paths}) path="$next" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`;
}

function fishScript(name: string, words: readonly Words[]): string {
  const lines = words.flatMap(({ path, subcommands, options }) => {
    const condition = conditionOf(path, subcommands);
    const begin = `complete -c ${name}${condition && ` -n '${condition}'`}`;
    return [
      ...subcommands.map(({ text, description }) => `${begin} -f -a ${text} -d '${quoted(description)}'`),
      ...options.map(({ text, description }) => `${begin} -l ${text.slice(2)} -d '${quoted(description)}'`),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** When a line of fish's completion holds: every word of the path was written, and no subcommand below it. */
function conditionOf(path: string, subcommands: readonly Word[]): string {
  const below = subcommands.map(({ text }) => text).join(' ');
  const written = path.split(' ').filter(Boolean);
  const conditions = written.map((word) => `__fish_seen_subcommand_from ${word}`);
  if (below) conditions.push(`not __fish_seen_subcommand_from ${below}`);
  return conditions.join('; and ');
}

function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
