import type { Limits } from '../../commands/carry-out/context.ts';
import { MOST_ENVIRONMENT_BYTES, MOST_VARIABLES } from '../../commands/input/site-requests.ts';
import { LONGEST_ADDRESS } from '../../commands/input/staging-input.ts';

/** How large one value of an input may be. */
export interface InputBound {
  /** Most items, where it is a list. */
  readonly items: number;
  /** Most UTF-16 units of each text in it. */
  readonly characters: number;
  /** Most values in all, where it is JSON. */
  readonly values: number;
}

/** The bound of an argument or input field, by its name. */
export type InputBounds = (name: string) => InputBound;

/** What holds for everything that is not listed below, so that a new input cannot be without a bound. */
const USUAL: InputBound = { items: 100, characters: 1000, values: 2000 };

/**
 * The bounds of a deployment. They keep work away from the API, so they are wide: what is a little too much passes here
 * and is refused by its command, which names the exact limit.
 */
export function inputBounds(limits: Limits): InputBounds {
  const own: Readonly<Record<string, Partial<InputBound>>> = {
    script: { characters: limits.maxBodyBytes },
    arguments: { items: ROOM * limits.maxArguments, characters: ROOM * limits.maxArgumentBytes },
    legs: { items: ROOM * limits.maxLegs },
    members: { items: ROOM * limits.maxLegs },
    siteIds: { items: 1000 },
    sites: { items: 1000 },
    environment: { items: ROOM * MOST_VARIABLES, characters: ROOM * MOST_ENVIRONMENT_BYTES },
    value: { characters: ROOM * MOST_ENVIRONMENT_BYTES },
    workFolder: { characters: 4096 },
    from: { characters: ROOM * LONGEST_ADDRESS },
    to: { characters: ROOM * LONGEST_ADDRESS },
    content: { characters: limits.maxBodyBytes },
    configuration: { characters: 1 << 16 },
  };
  const all = new Map(Object.entries(own).map(([name, bound]) => [name, { ...USUAL, ...bound }]));
  return (name) => all.get(name) ?? USUAL;
}

/** How deep lists and objects of an input may be nested. */
export const DEEPEST_INPUT = 24;

/** Values of one request in all, its text of the query and whatever else it carries included. */
export const MOST_VALUES = 100_000;

/** How many times the exact limit of a command passes here. */
const ROOM = 4;
