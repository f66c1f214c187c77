import { readFileSync } from 'node:fs';
import { isInputObjectType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { buildApiSchema, printApiSchema } from '../../../src/graphql/schema.ts';

test('schema.graphql is true; npm run schema writes it anew', () => {
  const committed = readFileSync(new URL('../../../src/graphql/schema.graphql', import.meta.url), 'utf8');
  expect(printApiSchema()).toBe(committed);
});

test('everything in the schema is described', () => {
  const undescribed = Object.values(buildApiSchema().getTypeMap())
    .filter(({ name }) => !name.startsWith('__') && !['Query', 'Mutation', 'Subscription'].includes(name))
    .flatMap((type) => {
      const fields = isObjectType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : [];
      return [type, ...fields.map((field) => ({ ...field, name: `${type.name}.${field.name}` }))];
    })
    .filter(({ description }) => !description)
    .map(({ name }) => name);
  expect(undescribed).toEqual([]);
});
