import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiWorld, createApiWorld } from './api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

/** The audits of graphql-http for servers, https://github.com/graphql/graphql-http; MAY is left to the server. */
const REQUIREMENTS = ['MUST', 'SHOULD'];

describe('GraphQL over HTTP', () => {
  const audits = serverAudits({
    url: () => world.api.url,
    fetchFn: (url: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${world.tokens.admin}`);
      return fetch(url, { ...init, headers });
    },
  }).filter(({ name }) => REQUIREMENTS.some((requirement) => name.startsWith(requirement)));

  test('knows the audits', () => {
    const count = (requirement: string) => audits.filter(({ name }) => name.startsWith(requirement)).length;
    expect({ must: count('MUST'), should: count('SHOULD') }).toEqual({ must: 13, should: 23 });
  });

  test.each(audits.map((audit) => ({ name: audit.name, audit })))('$name', async ({ audit }) => {
    const result = await audit.fn();
    expect(result.status === 'ok' ? 'ok' : `${result.status}: ${'reason' in result ? result.reason : ''}`).toBe('ok');
  });
});
