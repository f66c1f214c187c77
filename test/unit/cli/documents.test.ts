import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { DOCUMENTS } from '../../../src/cli/client/documents.ts';

const schema = buildSchema(readFileSync(new URL('../../../src/graphql/schema.graphql', import.meta.url), 'utf8'));

describe('every document of the command line fits the committed schema', () => {
  test.each(Object.entries(DOCUMENTS))('%s', (_name, document) => {
    expect(validate(schema, parse(document)).map(({ message }) => message)).toEqual([]);
  });
});
