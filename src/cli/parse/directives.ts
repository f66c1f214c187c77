import type { GraphqlClient } from '../client/graphql-client.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { parseWord, type SizeOptions, scriptInput, sizeInput } from './work.ts';

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
  script: string,
  args: readonly string[],
) {
  const directives = parseWord('directives', options.directives ?? 'WARN', ['HONOUR', 'WARN']);
  const { processors, walltime } = options;
  if (directives === 'WARN' && processors === undefined) throw missing('-n, --processors <n>');
  if (directives === 'WARN' && walltime === undefined) throw missing('-t, --walltime <duration>');
  const text = await scriptInput(script, args, options.name);
  const { name, ...unnamed } = text;
  const size = await sizeInput(client, options as SizeOptions);
  return {
    ...(directives === 'HONOUR' && options.name === undefined ? unnamed : { ...unnamed, name }),
    ...size,
    directives,
  };
}

function missing(option: string): CliFailure {
  const remedy = 'give it, or --directives honour where the script tells it';
  return new CliFailure(`required option '${option}' not specified`, EXIT.usage, remedy);
}
