import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  isInputObjectType,
  isListType,
  isObjectType,
  isScalarType,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/commands/carry-out/context.ts';
import { assertBounded } from '../../../src/graphql/input/assert-bounded.ts';
import { DEEPEST_INPUT, inputBounds } from '../../../src/graphql/input/input-bounds.ts';
import { findShapeFault } from '../../../src/graphql/input/json-shape.ts';
import { buildApiSchema } from '../../../src/graphql/schema.ts';

const schema = buildApiSchema();
const bounds = inputBounds(DEFAULT_LIMITS);

/** One value that callers can set: how the field that takes it is reached, the argument, and the way down from that. */
interface Reached {
  readonly where: string;
  readonly document: string;
  readonly name: string;
  readonly type: GraphQLInputType;
  /** The variable whose innermost part is that value. */
  readonly wrap: (value: unknown) => unknown;
}

/** Every argument of every field of every type, and every input field below it, each type once a way. */
function everyInput(schema: GraphQLSchema): Reached[] {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith('__'));
  return types.flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields()).flatMap(({ name, args }) =>
          args.flatMap((argument) => {
            const field = `${name}(${argument.name}: $value)`;
            const root = { Query: 'query', Mutation: 'mutation', Subscription: 'subscription' }[type.name];
            const open = `($value: ${argument.type})`;
            const document = root
              ? `${root}${open} { ${field} }`
              : `query${open} { x { ...F } } fragment F on ${type.name} { ${field} }`;
            return below(argument, `${type.name}.${name}(${argument.name})`, document, (value) => value, []);
          }),
        )
      : [],
  );
}

function below(
  { name, type }: GraphQLArgument | GraphQLInputField,
  where: string,
  document: string,
  wrap: Reached['wrap'],
  seen: readonly string[],
): Reached[] {
  const here = { where, document, name, type, wrap };
  const named = getNamedType(type);
  if (!isInputObjectType(named) || seen.includes(named.name)) return [here];
  const inList = isListType(getNullableType(type)) ? (value: unknown) => [value] : (value: unknown) => value;
  const fields = Object.values(named.getFields()).flatMap((field) =>
    below(field, `${where}.${field.name}`, document, (value) => wrap(inList({ [field.name]: value })), [
      ...seen,
      named.name,
    ]),
  );
  return [here, ...fields];
}

function refusalOf(document: string, value: unknown): string | null {
  const parsed = parse(document);
  const operation = getOperationAST(parsed);
  if (!operation) throw new Error('one operation');
  try {
    assertBounded(schema, parsed, operation, { value }, bounds);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A list that counts how often its items are looked at. */
function watchedList(length: number, item: string) {
  let count = 0;
  const list = new Proxy(
    Array.from({ length }, () => item),
    {
      get(target, key, self) {
        if (typeof key === 'string' && /^\d+$/.test(key)) count++;
        return Reflect.get(target, key, self);
      },
    },
  );
  return { list, looks: () => count };
}

const inputs = everyInput(schema);
const lists = inputs.filter(({ type }) => isListType(getNullableType(type)));
const texts = inputs.filter(({ type }) => !isInputObjectType(getNamedType(type)));
const json = inputs.filter(({ type }) => {
  const named = getNamedType(type);
  return isScalarType(named) && named.name === 'JSON';
});

describe('whatever a caller can set is bounded', () => {
  test('the walk finds what there is', () => {
    const found = inputs.map(({ where }) => where);
    for (const known of [
      'Query.jobs(states)',
      'Mutation.coAllocate(input).legs.arguments',
      'Mutation.coAllocate(input).nestedRule.members',
      'Mutation.registerSite(input).configuration',
      'WaitForecast.boundSeconds(probability)',
    ]) {
      expect(found).toContain(known);
    }
    expect(lists.length).toBeGreaterThan(8);
  });

  test.each(lists)('list $where', ({ document, name, wrap }) => {
    const { items } = bounds(name);
    expect(items).toBeLessThanOrEqual(5000);
    expect(refusalOf(document, wrap(Array.from({ length: items }, () => null)))).toBeNull();
    expect(refusalOf(document, wrap(Array.from({ length: items + 1 }, () => null)))).toContain(
      `${name} has ${items + 1} items, at most ${items} items`,
    );
  });

  test.each(texts)('text $where, wherever it stands in it', ({ document, name, type, wrap }) => {
    const { characters } = bounds(name);
    const longest = 'x'.repeat(characters);
    const place = isListType(getNullableType(type)) ? (text: string) => wrap([text]) : wrap;
    expect(refusalOf(document, place(longest))).toBeNull();
    expect(refusalOf(document, place(`${longest}x`))).toMatch(/has \d+ characters, at most \d+ characters/);
  });

  test.each(json)('JSON $where', ({ document, wrap }) => {
    expect(refusalOf(document, wrap({ some: ['thing', { small: true }] }))).toBeNull();
    expect(refusalOf(document, wrap(Array.from({ length: 100_000 }, () => 1)))).toMatch(/more, at most \d+ values/);
    const deep = Array.from({ length: DEEPEST_INPUT + 1 }).reduce<unknown>((inner) => [inner], 1);
    expect(refusalOf(document, wrap(deep))).toContain('levels');
  });
});

describe('the bounds hold', () => {
  test('for what is nested without end', () => {
    const rule = Array.from({ length: 1000 }).reduce<unknown>((member) => ({ members: [member] }), { leg: 'a' });
    expect(
      refusalOf('mutation($value: CoAllocateInput!) { coAllocate(input: $value) }', { nestedRule: rule }),
    ).toContain('levels');
  });

  test('for literals, defaults of variables, fragments, and texts in the place of something else', () => {
    const states = Array.from({ length: 101 }, () => 'HELD').join(' ');
    const says = /states has 101 items, at most 100/;
    expect(refusalOf(`{ jobs(states: [${states}]) }`, null)).toMatch(says);
    expect(refusalOf(`query($s: [JobState!] = [${states}]) { jobs(states: $s) }`, null)).toMatch(says);
    expect(refusalOf(`{ ...F } fragment F on Query { jobs(states: [${states}]) }`, null)).toMatch(says);
    expect(refusalOf('query($value: Int) { jobs(first: $value) }', 'x'.repeat(5000))).toMatch(/first has 5000/);
    expect(refusalOf('query($value: Int) { jobs(first: $value) }', { a: ['x'.repeat(5000)] })).toMatch(/first has/);
    expect(refusalOf('query($value: Int) { jobs(first: $value) }', { ['x'.repeat(5000)]: 1 })).toMatch(/first has/);
  });

  test('a variable is looked at once for all fields that it is given to, and all of them together to a bound', () => {
    const { list, looks } = watchedList(200, '');
    const legs = Array.from({ length: 30 }, () => ({ script: 'x', arguments: list }));
    const many = 'coAllocate(input: $value) { __typename } '.repeat(150);
    expect(refusalOf(`mutation($value: CoAllocateInput!) { ${many} }`, { legs })).toBeNull();
    expect(looks()).toBe(30 * 200);
    const parts = 'coAllocate(input: { legs: $value }) { __typename } '.repeat(150);
    expect(refusalOf(`mutation($value: [LegInput!]!) { ${parts} }`, legs)).toMatch(/hold more than 200000 values/);
    expect(looks()).toBeLessThan(300_000);
  });

  test('and a value is looked at no further than its first fault', () => {
    const { list, looks } = watchedList(50_000, 'HELD');
    expect(refusalOf('query($value: [JobState!]) { jobs(states: $value) }', list)).toContain('states has 50000 items');
    expect(looks()).toBe(0);
  });
});

describe('a JSON text is judged before it is parsed', () => {
  const judge = (value: unknown) => findShapeFault(Buffer.from(JSON.stringify(value)), 100, 5);
  test('by how many values it holds', () => {
    expect(judge(Array.from({ length: 90 }, () => 1))).toBeNull();
    expect(judge(Array.from({ length: 101 }, () => 1))).toBe('VALUES');
    expect(judge({ list: Array.from({ length: 101 }, () => ({})) })).toBe('VALUES');
  });
  test('by how deep they are nested', () => {
    expect(judge([[[[[1]]]]])).toBeNull();
    expect(judge([[[[{ a: [1] }]]]])).toBe('DEPTH');
  });
  test('and signs in a text are none', () => {
    expect(judge([`${'[,{'.repeat(1000)}"\\\\"${',,'.repeat(100)}`])).toBeNull();
    expect(judge('\\')).toBeNull();
  });
});
