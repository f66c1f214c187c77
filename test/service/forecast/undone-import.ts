import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { importHistory } from '../../../src/commands/import-history.ts';
import { undoImport } from '../../../src/commands/undo-import.ts';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import type { Principal } from '../../../src/store/principals.ts';
import { type ApiWorld, NOW } from '../graphql/api-world.ts';

/** Jobs that waited a day each: another machine's log. */
export const LOG = Array.from(
  { length: 400 },
  (_, n) => `${n + 5000} ${n * 100} 86400 60 1 -1 -1 1 900 -1 1 3 1 -1 -1 -1 -1 -1`,
);
export const ORIGIN = NOW - 20 * 86_400;

export const idOf = (globalId: string) => fromGlobalId(globalId)?.id ?? '';

const adminOf = (world: ApiWorld): Principal => ({ ...world.principal, role: 'ADMIN' });

/** Imports lines of a log into a site. */
export function take(world: ApiWorld, siteId: string, lines: readonly string[]) {
  const input = { siteId, content: `${lines.join('\n')}\n`, format: null, originAt: ORIGIN, idempotencyKey: null };
  return importHistory(world.commands, adminOf(world), input);
}

/** Takes an import back. */
export function undo(world: ApiWorld, importId: string) {
  return undoImport(world.commands, adminOf(world), { importId, idempotencyKey: null });
}

async function forecast({ forecaster }: ApiWorld, siteId: string) {
  while ((await forecaster.stateOf(siteId)).isLearning) await sleep(50);
  // Models answer as they are for a moment before they look for what is new.
  await sleep(60);
  while ((await forecaster.stateOf(siteId)).isLearning) await sleep(50);
  const query = { queue: 'batch', user: null, processors: 4, requestedWalltimeSeconds: 3600, submitAt: NOW };
  const [answer] = await forecaster.forecastWaits(siteId, [query]);
  return answer;
}

/** A forecast after an import that was undone is the one from before. */
export async function expectForgotten(world: ApiWorld): Promise<void> {
  const siteId = idOf(world.sites.quick);
  const before = await forecast(world, siteId);
  const { importId, imported } = await take(world, siteId, LOG);
  expect(imported).toBe(400);
  expect(await forecast(world, siteId)).not.toEqual(before);
  expect(await undo(world, importId)).toEqual({ importId, siteId, removed: 400 });
  expect(await forecast(world, siteId)).toEqual(before);
  await expect(undo(world, importId)).rejects.toMatchObject({ code: 'ALREADY_ENDED', field: 'input.id' });
}
