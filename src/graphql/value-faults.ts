import { GraphQLError } from 'graphql';
import { cut } from '../domain/text.ts';

/** What is wrong with a value of a caller's variables, and at which field. */
export interface ValueFault {
  readonly field: string;
  readonly message: string;
  /** Whether the sentence is ours. */
  readonly isOurs: boolean;
}

/**
 * What is wrong with a value, in place of graphql-js's own sentence, which repeats the value around it with all that is
 * secret in it: a whole script, a signed address. Null for other errors.
 */
export function explainValueFault(error: GraphQLError): ValueFault | null {
  const { message, originalError: cause } = error;
  if (UNPROMISED.test(message)) return unpromised('', message);
  const [, variable] = /^Variable "\$(\w+)" got invalid value /.exec(message) ?? [];
  if (variable === undefined || !(cause instanceof GraphQLError)) return null;
  const told = message.slice(0, -`; ${cause.message}`.length).slice(-LONGEST_MESSAGE);
  const [, path = ''] = new RegExp(` at "${variable}((?:\\.\\w+|\\[\\d+\\])+)"$`).exec(told) ?? [];
  if (UNPROMISED.test(cause.message)) return unpromised(path, cause.message);
  const [, name] = /^Field "(\w+)" (?:is not defined by type|of required type)/.exec(cause.message) ?? [];
  const field = `${variable}${path}${name === undefined ? '' : `.${name}`}`;
  return { field, message: `${field}: ${withoutValues(cause.message, SECRET.test(path))}`, isOurs: false };
}

/** Files are moved for no job that is promised, and its input has no such fields. */
function unpromised(path: string, message: string): ValueFault {
  const [, name = ''] = UNPROMISED.exec(message) ?? [];
  const field = `input${path}.${name}`;
  const remedy = `have the files at the site before the promise is asked for, in its workFolder, and leave ${name} out`;
  return { field, message: `${field}: no files are moved for a job that is promised; ${remedy}`, isOurs: true };
}

/**
 * An error of graphql-js without the values in it that are more than a word or a number.
 * @param isSecret whether no value is told at all
 */
export function withoutValues(message: string, isSecret = false): string {
  const told = cut(message, LONGEST_MESSAGE);
  const [, what, value] = VALUE.exec(told) ?? [];
  if (what === undefined || value === undefined) return told;
  const isPlain = value.length <= LONGEST_VALUE && !/^[{[]|:\/\//.test(value);
  return isPlain && !isSecret ? told : what;
}

const UNPROMISED =
  /^Field "(stageIn|stageOut|keepWorkFolder)" is not defined by type "(?:ReserveInput|LegInput|CoAllocateInput)"/;

/** Places of which no value is ever repeated. */
const SECRET = /\b(?:script|stageIn|stageOut|environment|configuration)\b/;
/** How graphql-js ends with a value. */
const VALUE = /^([^{[]*? cannot represent [^:{[]*|Expected value of type "[^"]*")(?:: |, found )(.*)$/s;
const LONGEST_VALUE = 60;
const LONGEST_MESSAGE = 1000;
