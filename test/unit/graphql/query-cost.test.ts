import { getOperationAST, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { queryCost } from '../../../src/graphql/query-cost.ts';
import { buildApiSchema } from '../../../src/graphql/schema.ts';

const schema = buildApiSchema();

function costOf(query: string, variables: Record<string, unknown> = {}): number {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('one operation');
  return queryCost(schema, document, operation, variables);
}

test('a field counts one', () => {
  expect(costOf('{ serverTime viewer { name role } }')).toBe(4);
});

test('a page counts each of its items, at the size that was asked for, by whichever way', () => {
  const page = (first: number) => 1 + first * 3;
  expect(costOf('{ jobs { edges { node { id } } } }')).toBe(page(20));
  expect(costOf('{ jobs(first: 50) { edges { node { id } } } }')).toBe(page(50));
  expect(costOf('query($n: Int) { jobs(first: $n) { edges { node { id } } } }', { n: 7 })).toBe(page(7));
  expect(costOf('query($n: Int = 9) { jobs(first: $n) { edges { node { id } } } }', { n: 9 })).toBe(page(9));
  expect(costOf('{ jobs(first: 1000000) { edges { node { id } } } }')).toBe(page(100));
  expect(costOf('{ jobs(first: -5) { edges { node { id } } } }')).toBe(page(1));
});

test('fragments count where they are spread, each type by its own fields', () => {
  const plain = costOf('{ jobs(first: 10) { edges { node { id name state } } } }');
  expect(costOf('{ jobs(first: 10) { edges { node { ...Parts } } } } fragment Parts on Job { id name state }')).toBe(
    plain,
  );
  expect(costOf('{ jobs(first: 10) { edges { node { id ... on Job { name state } } } } }')).toBe(plain);
  expect(costOf('{ node(id: "x") { id ... on Site { name scores { predictor count } } } }')).toBe(1 + 1 + 1 + 21);
});

test('fragments that multiply are counted without taking forever', () => {
  const chain = Array.from({ length: 60 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`).join(' ');
  expect(costOf(`{ ...F0 } ${chain} fragment F60 on Query { serverTime }`)).toBe(2 ** 60);
});

test('a plan counts the forecasts of every site for each of its sizes', () => {
  const costWith = (sizes: string) =>
    costOf(`{ plan(input: { processors: 8, walltimeSeconds: 60${sizes} }) { madeAt } }`) - 1;
  expect(costWith('')).toBe(50);
  expect(costWith(', sizes: { list: [4, 16] }')).toBe(150);
  expect(costWith(', sizes: { from: 1, to: 64 }')).toBe(400);
  expect(costWith(', sizes: { fromHistory: true }')).toBe(800);
  expect(costWith(', sizes: { from: 1, to: 2000000000, steps: ALL }')).toBe(800);
});

test('a list of many costs what it weighs where it is told again with every change', () => {
  const observations = (last: number) => `observations(last: ${last}) { observedAt processors }`;
  expect(costOf(`{ site(name: "x") { ${observations(500)} } }`)).toBe(1 + 1 + 100);
  expect(costOf(`subscription { siteChanged { ${observations(500)} } }`)).toBe(1 + 1 + 1000);
});
