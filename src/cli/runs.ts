import type { Command } from 'commander';
import { parseWhole } from './parse/number.ts';
import { type GlobalOptions, openSession, type Session } from './session.ts';

type Run<Options> = (session: Session, options: Options, ...args: string[]) => Promise<void>;

/** Runs a lazily loaded command with its session, options and positional arguments. */
export function runs<Options>(load: () => Promise<Run<Options>>) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const run = await load();
    const options = command.optsWithGlobals() as Options & GlobalOptions;
    await run(openSession(options), options, ...(command.processedArgs.flat() as string[]));
  };
}

/** Every value of an option that may be given again and again. */
export const many = (value: string, before: readonly string[] = []): string[] => [...before, value];
/** A whole number from 0 on. */
export const natural = (text: string) => parseWhole(text, 0);
/** A whole number from 1 on. */
export const count = (text: string) => parseWhole(text);
