import type { GraphqlClient } from '../client/graphql-client.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { say } from '../render/say.ts';
import { parseWord, type SizeOptions, scriptInput, sizeInput, textInput } from './work.ts';

/** Options of a job whose size its script may tell. */
export interface DirectedOptions extends Partial<Pick<SizeOptions, 'processors' | 'walltime'>> {
  readonly name?: string;
  /** What becomes of the directive lines of the script. */
  readonly directives?: string;
}

/**
 * The part of an input that a script and its size make up. Where its directives are honoured they may tell size, name
 * and walltime.
 * @throws CliFailure for a size that nobody tells
 */
export async function directedInput(
  client: GraphqlClient,
  options: DirectedOptions & Omit<SizeOptions, 'processors' | 'walltime'>,
  script: string | undefined,
  args: readonly string[],
) {
  const directives = directivesWord(options);
  if (directives === 'HONOUR' && script === undefined) {
    throw new CliFailure('--directives honour needs a script', EXIT.usage, 'give it with --script FILE');
  }
  const { processors, walltime } = options;
  if (directives === 'WARN' && processors === undefined) throw missing('-n, --processors <n>');
  if (directives === 'WARN' && walltime === undefined) throw missing('-t, --walltime <duration>');
  const { name, ...unnamed } = await textOf(script, args, options.name);
  const size = await sizeInput(client, options as SizeOptions);
  return {
    ...(directives === 'HONOUR' && options.name === undefined ? unnamed : { ...unnamed, name }),
    ...size,
    directives,
  };
}

/** What becomes of the directive lines of the script: those of every job that is not told are warned of. */
export function directivesWord({ directives = 'WARN' }: DirectedOptions): string {
  return parseWord('directives', directives, ['HONOUR', 'WARN']);
}

/** Says what directives ask for and nobody has honoured. */
export function sayWarnings(warnings: readonly string[] | null | undefined): void {
  for (const warning of warnings ?? []) say(warning);
}

function textOf(script: string | undefined, args: readonly string[], name: string | undefined) {
  return script === undefined ? textInput({ ...(name !== undefined && { name }) }) : scriptInput(script, args, name);
}

function missing(option: string): CliFailure {
  const remedy = 'give it, or --directives honour where the script tells it';
  return new CliFailure(`required option '${option}' not specified`, EXIT.usage, remedy);
}
