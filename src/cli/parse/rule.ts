import { CliFailure, EXIT } from '../failure.ts';
import { parseWord } from './work.ts';

/** A rule as the API takes it: a leg, or a rule over members. */
export interface RuleSpec {
  readonly leg?: string;
  readonly rule?: string;
  readonly atLeast?: number;
  readonly members?: readonly RuleSpec[];
}

/** What the option `--rule` says: one word over all legs, or a rule made of rules. */
export interface RuleOption {
  readonly rule: string | null;
  readonly nestedRule: RuleSpec | null;
}

/**
 * Reads `any`, or `all(any(a,b),at-least-2(c,d,e))` over the names of legs.
 * @throws CliFailure naming what is wrong
 */
export function parseRule(text: string): RuleOption {
  if (!text.includes('(')) return { rule: parseWord('rule', text, ['ALL', 'ANY', 'AT_LEAST']), nestedRule: null };
  const tokens = text.match(/[(),]|[^(),\s][^(),]*/g) ?? [];
  const nestedRule = readRule(tokens, text);
  if (tokens.length > 0) throw unreadable(text, `"${tokens.join('')}" is left over`);
  return { rule: null, nestedRule };
}

/** Takes one rule off the front of the tokens. */
function readRule(tokens: string[], text: string): RuleSpec {
  const word = tokens.shift()?.trim() ?? '';
  if (word === '' || '(),'.includes(word)) throw unreadable(text, `a rule or a leg is missing before "${word}"`);
  if (tokens[0] !== '(') return { leg: word };
  const members: RuleSpec[] = [];
  for (let mark = tokens.shift(); mark !== ')'; mark = tokens.shift()) {
    if (mark === undefined) throw unreadable(text, 'a closing parenthesis is missing');
    members.push(readRule(tokens, text));
  }
  return { ...readWord(word, text), members };
}

function readWord(word: string, text: string): RuleSpec {
  const [, number] = /^at-least-(\d+)$/i.exec(word) ?? [];
  if (number !== undefined) return { rule: 'AT_LEAST', atLeast: Number(number) };
  const rule = word.toUpperCase();
  if (rule === 'ALL' || rule === 'ANY') return { rule };
  throw unreadable(text, `"${word}" is no rule`);
}

function unreadable(text: string, why: string): CliFailure {
  return new CliFailure(`--rule "${text}" cannot be read: ${why}`, EXIT.usage, 'write all(any(a,b),at-least-2(c,d,e))');
}
