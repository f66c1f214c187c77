import { buildSchema, type GraphQLError, graphql, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { formatError } from '../../../src/graphql/errors.ts';

const schema = buildSchema(`
  input FileInput { from: String! to: String! count: Int }
  input VariableInput { name: String! value: String! }
  enum Kind { ONE TWO }
  input JobInput { script: String! stageIn: [FileInput!] environment: [VariableInput!] processors: Int kind: Kind }
  input ReserveInput { script: String! }
  type Query { submit(input: JobInput!): Int reserve(input: ReserveInput!): Int }
`);
const SECRET = 'https://store.example/x?X-Amz-Signature=TOPSECRET7';

const present = (errors: readonly GraphQLError[] = []) => errors.map((error) => formatError(error.toJSON(), error));

async function faultOf(input: object) {
  const source = 'query ($input: JobInput!) { submit(input: $input) }';
  const [error] = present((await graphql({ schema, source, variableValues: { input } })).errors);
  return { message: error?.message, field: error?.extensions?.field };
}

describe('a fault of a variable is told by its field, without what stands around it', () => {
  test.each([
    [
      'a field that is missing',
      { script: 'x', stageIn: [{ from: SECRET }] },
      'input.stageIn[0].to',
      'input.stageIn[0].to: Field "to" of required type "String!" was not provided.',
    ],
    [
      'one that there is not',
      { script: SECRET.repeat(100), proccessors: 3 },
      'input.proccessors',
      'input.proccessors: Field "proccessors" is not defined by type "JobInput". Did you mean "processors"?',
    ],
    [
      'a secret of the wrong kind',
      { script: 'x', environment: [{ name: 'A', value: 123456 }] },
      'input.environment[0].value',
      'input.environment[0].value: String cannot represent a non string value',
    ],
    [
      'a list in the place of a text',
      { script: [SECRET] },
      'input.script',
      'input.script: String cannot represent a non string value',
    ],
    [
      'a number that is none, which is shown',
      { script: 'x', processors: 'many' },
      'input.processors',
      'input.processors: Int cannot represent non-integer value: "many"',
    ],
    [
      'a word that there is not',
      { script: 'x', kind: 'TREE' },
      'input.kind',
      'input.kind: Value "TREE" does not exist in "Kind" enum.',
    ],
  ])('%s', async (_what, input, field, message) => {
    expect(await faultOf(input)).toEqual({ field, message });
  });

  test('whatever a text says about places', async () => {
    const script = 'echo \' at "input.kind"; Field "kind" is not defined by type "JobInput".';
    const { message, field } = await faultOf({ script, stageIn: [{ to: script }] });
    expect(field).toBe('input.stageIn[0].from');
    expect(message).toBe('input.stageIn[0].from: Field "from" of required type "String!" was not provided.');
  });
});

test('of a megabyte that means nothing, and looks like an error itself, no more is told than of any other', async () => {
  const { message, field } = await faultOf({ script: 'x', kind: ' cannot represent '.repeat(60_000) });
  expect(field).toBe('input.kind');
  expect(message?.length).toBeLessThan(1100);
});

test('values in the text of a query are not repeated either, nor long ones', () => {
  const query = `{ submit(input: { script: "x", stageIn: "${SECRET}" }) reserve(input: [{ script: "${SECRET}" }]) }`;
  const messages = present(validate(schema, parse(query))).map(({ message }) => message);
  expect(messages.length).toBeGreaterThan(1);
  expect(messages.join()).not.toContain('SECRET');
  const name = 'x'.repeat(5000);
  const [unknown] = present(validate(schema, parse(`{ submit(input: { script: "x", ${name}: 1 }) }`)));
  expect(unknown?.message.length).toBeLessThan(1100);
});
