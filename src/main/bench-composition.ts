import { setImmediate } from 'node:timers/promises';
import type { JobRecord } from '../domain/job.ts';
import { unreadSite } from '../forecast/followed-site.ts';
import { compositionOf, type PartOfMemory } from '../predict/checkpoint/composition.ts';
import { Timeline } from '../predict/past/timeline.ts';

/** A site whose model is taken apart. */
export interface CompositionOptions {
  /** In the order of submission, all over. */
  readonly records: readonly JobRecord[];
  readonly processors: number;
  /** How many fields are told apart, one below the other, from the predictor on. */
  readonly depth: number;
}

/** Lives through a site's past. @returns what of its model takes how much, the largest part first */
export async function benchComposition({ records, processors, depth }: CompositionOptions): Promise<PartOfMemory[]> {
  const timeline = new Timeline(processors);
  for (const record of records) timeline.observe(record);
  const { site } = unreadSite({ wait: ['wait/gridcast'] }, {});
  site.observe(timeline.snapshotAt(records.at(-1)?.submitAt ?? 0));
  await site.liveThroughPast(records, Promise.resolve(), () => setImmediate());
  return compositionOf(site.model.learned, depth + LEVELS_ABOVE, nameOfPredictor).map(({ path, ...part }) => {
    return { path: path.split('.').slice(LEVELS_ABOVE).join('.') || 'what is told', ...part };
  });
}

function nameOfPredictor(one: object): string | null {
  return 'name' in one && 'version' in one ? `${one.name}` : null;
}

/** The teller and its listeners. */
const LEVELS_ABOVE = 2;
