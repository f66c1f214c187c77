import type { z } from 'zod';
import { didYouMean } from '../../src/domain/near-names.ts';
import { quoted } from '../../src/domain/text.ts';

/**
 * What is wrong with data that a schema refuses, a sentence a fault, each with its place, the value where it can be no
 * secret, and what would do.
 * @param whole what to call the data where the fault is in no field of it
 */
export function schemaFaults(schema: z.ZodType, data: unknown, whole: string): string[] {
  const { error } = schema.safeParse(data, { error: wordsFor, reportInput: true });
  return (error?.issues ?? []).map((issue) => {
    const place = issue.path.join('.');
    return `${place || whole}: ${issue.message}${maySay(place) ? got(issue) : ''}`;
  });
}

/** What is required, where the schema itself has no words for it. */
function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (wrongValueOf(issue) === undefined) return isChoice(issue) ? `is missing; ${choiceOf(issue)}` : 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${isWhole(issue) ? TYPES.int : (TYPES[issue.expected] ?? issue.expected)}`;
    case 'invalid_value':
    case 'invalid_union':
      return isChoice(issue) ? choiceOf(issue) : undefined;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return `must ${amountOf(issue.origin, issue.inclusive ? 'at least' : 'above', issue.minimum)}`;
    case 'too_big':
      return `must ${amountOf(issue.origin, issue.inclusive ? 'at most' : 'below', issue.maximum)}`;
    case 'invalid_format':
      return formatOf(issue);
    case 'unrecognized_keys': {
      const known = Object.keys((issue.inst as z.ZodObject | undefined)?.shape ?? {});
      const there = `; there are ${known.join(', ')}`;
      return issue.keys.map((key) => `there is no field ${quoted(key)}${didYouMean(key, known) || there}`).join('; ');
    }
    case 'invalid_key':
      return `its name ${issue.issues.map(({ message }) => message).join(' and ')}`;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** Of texts it says that a number is wanted, whatever kind of one. */
function isWhole({ inst }: z.core.$ZodRawIssue): boolean {
  return (inst?._zod.def as { readonly format?: string } | undefined)?.format === 'safeint';
}

function formatOf(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): string | undefined {
  if (issue.format === 'starts_with') return issue.prefix === '/' ? 'must be an absolute path' : undefined;
  return issue.format === 'url' ? 'must be an address, as http://host:port' : undefined;
}

function amountOf(origin: string, relation: string, bound: number | bigint): string {
  const unit = origin === 'string' ? ' characters' : origin === 'array' ? ' items' : '';
  return `${unit === '' ? 'be' : 'have'} ${relation} ${bound}${unit}`;
}

/** Whether one of several values is wanted, and what they are. */
function isChoice(issue: z.core.$ZodRawIssue): boolean {
  return choicesOf(issue).length > 0;
}

function choiceOf(issue: z.core.$ZodRawIssue): string {
  const choices = choicesOf(issue).map((one) => JSON.stringify(one));
  return `must be ${choices.length > 1 ? 'one of ' : ''}${choices.join(', ')}`;
}

function choicesOf(issue: z.core.$ZodRawIssue): readonly unknown[] {
  if (issue.code === 'invalid_value') return issue.values;
  return issue.code === 'invalid_union' ? ((issue.options as unknown[] | undefined) ?? []) : [];
}

type WithInput = Pick<z.core.$ZodIssue, 'code' | 'input'> & { readonly discriminator?: unknown };

/** What stands at the place of a fault. Of objects told apart by a field, what stands in that. */
function wrongValueOf({ code, input, discriminator }: WithInput): unknown {
  if (code !== 'invalid_union' || typeof discriminator !== 'string') return input;
  return (input as Record<string, unknown> | null)?.[discriminator];
}

/** Objects and lists are not repeated; a name that is refused is in the place already. */
function got(issue: WithInput): string {
  const value = wrongValueOf(issue);
  if (issue.code === 'invalid_key') return '';
  if (typeof value === 'string') return CREDENTIALS.test(value) ? '' : `; got ${quoted(value)}`;
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? `; got ${value}` : '';
}

/** A key or a token is sometimes written where its file should be named, or into a variable. */
function maySay(place: string): boolean {
  return !/environment|token|secret|passw|credential|key|identityFile/i.test(place);
}

const CREDENTIALS = /:\/\/[^/]*@|-----BEGIN/;
