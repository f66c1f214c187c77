import { expect, test } from 'vitest';
import { type KeptClass, keepingOf } from '../../../src/domain/kept-classes.ts';
import { type Checkpoint, readCheckpoint, writeCheckpoint } from '../../../src/predict/checkpoint/checkpoint.ts';
import { assertLearnedBy, type KeptModel, keptModel } from '../../../src/predict/checkpoint/kept-model.ts';
import { packCheckpoint, unpackCheckpoint } from '../../../src/predict/checkpoint/pack.ts';
import type { SiteListener } from '../../../src/predict/predictor.ts';

/** A predictor that learns and is asked as it goes. */
interface Watched<Event> {
  readonly quantity: string;
  create(): SiteListener & { readonly name: string; readonly version: string };
  readonly events: readonly Event[];
  /** Takes in an event. @returns what was said before it; null of one at which nothing is asked */
  take(predictor: SiteListener, event: Event): unknown;
}

function stored<Event>({ quantity }: Watched<Event>, predictor: ReturnType<Watched<Event>['create']>): Uint8Array {
  return packCheckpoint(writeCheckpoint(predictor, { models: [keptModel(quantity, predictor)] }));
}

/** What one says that was written down at some places of the past, and each time went on as another one. */
function saidRestored<Event>(watched: Watched<Event>, places: readonly number[]): unknown[] {
  let predictor = watched.create();
  return watched.events.map((event, i) => {
    if (places.includes(i)) predictor = restored(watched, predictor);
    return watched.take(predictor, event);
  });
}

/** Another one that goes on from what one has written down. */
function restored<Event>(watched: Watched<Event>, predictor: ReturnType<Watched<Event>['create']>) {
  const checkpoint: Checkpoint<{ models: KeptModel[] }> = unpackCheckpoint(stored(watched, predictor));
  const fresh = watched.create();
  assertLearnedBy(checkpoint.header.about.models, [keptModel(watched.quantity, fresh)]);
  expect(readCheckpoint(checkpoint, fresh)).toBe(fresh);
  return fresh;
}

/** All objects that can be reached from one, but for those in what says itself how it is kept. */
function objectsIn(one: unknown, found = new Set<object>()): Set<object> {
  if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one) || found.has(one)) return found;
  found.add(one);
  if (keepingOf(one.constructor as KeptClass)) return found;
  const entries = one instanceof Map || one instanceof Set ? [...one].flat() : [];
  for (const inner of [...Object.values(one), ...entries]) objectsIn(inner, found);
  return found;
}

/** Objects of no class are made again when something is restored, and frozen ones stay as they are. */
function isWrittenInto(one: object): boolean {
  const made = [Object.prototype, Array.prototype, Map.prototype, Set.prototype, WeakMap.prototype];
  return !made.includes(Object.getPrototypeOf(one)) && !Object.isFrozen(one);
}

/**
 * *Restored equals watched*: one that was written down, and made anew from what was written, forecasts what the one
 * that only watched does, bit for bit, however often that happens.
 */
export function testRestored<Event>(watched: () => Watched<Event>): void {
  test('restored from its checkpoints it says what one says that has watched all along', () => {
    const { events } = watched();
    const half = Math.floor(events.length / 2);
    const watching = saidRestored(watched(), []);
    // What is lost may be learned again with the next event, so some are asked as soon as they are restored.
    const asked = [...watching.keys()].filter((i) => watching[i] !== null);
    const atOnce = [0.3, 0.6, 0.9].map((share) => asked[Math.floor(share * asked.length)] as number);
    const said = saidRestored(watched(), [0, half, half + 1, Math.floor(0.8 * events.length), ...atOnce]);
    expect(said).toEqual(watching);
    expect(said.filter((one) => one !== null).length).toBeGreaterThan(10);
  });

  test('one that leaves its fits to others says what they say until the next fit, and keeps nothing for it', () => {
    const one = watched();
    const { create, take, events } = one;
    const half = Math.floor(events.length / 2);
    const owner = create();
    for (const event of events.slice(0, half)) take(owner, event);
    const other = restored(one, owner);
    other.leaveFitsToOthers?.();
    if (other.leaveFitsToOthers) expect(stored(one, other).length).toBeLessThan(stored(one, owner).length);
    const later = events.slice(half).map((event) => [take(other, event), take(owner, event)]);
    const said = later.filter(([others]) => others !== null);
    expect(said[0]?.[0]).toEqual(said[0]?.[1]);
    expect(said.every(([, owners]) => owners !== null)).toBe(true);
    if (other.leaveFitsToOthers) expect(stored(one, other).length).toBeLessThan(stored(one, owner).length);
  });

  test('two that are made anew share nothing that what was learned by one of them could be restored into', () => {
    const others = objectsIn(watched().create());
    const shared = [...objectsIn(watched().create())].filter((one) => others.has(one));
    expect(shared.filter(isWrittenInto)).toEqual([]);
  });
}
