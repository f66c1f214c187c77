import { setImmediate } from 'node:timers/promises';
import type { JobRecord } from '../domain/job.ts';
import { unreadSite } from '../forecast/followed-site.ts';
import type { LiveSite } from '../forecast/live-site.ts';
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

/** What of a model takes how much, the largest part first. */
export interface Compositions {
  /** Of one that is fitted where it is. */
  readonly owned: readonly PartOfMemory[];
  /** Of the same where another one fits it. */
  readonly fittedElsewhere: readonly PartOfMemory[];
}

/** Lives through a site's past, and takes its model apart. */
export async function benchComposition({ records, processors, depth }: CompositionOptions): Promise<Compositions> {
  const timeline = new Timeline(processors);
  for (const record of records) timeline.observe(record);
  const { site } = unreadSite({ wait: ['wait/gridcast'] }, {});
  site.observe(timeline.snapshotAt(records.at(-1)?.submitAt ?? 0));
  await site.liveThroughPast(records, () => setImmediate());
  const owned = partsOf(site, depth);
  site.leaveFitsToOthers();
  return { owned, fittedElsewhere: partsOf(site, depth) };
}

function partsOf({ model }: LiveSite, depth: number): PartOfMemory[] {
  return compositionOf(model.learned, depth + LEVELS_ABOVE, nameOfPredictor).map(({ path, ...part }) => {
    return { path: path.split('.').slice(LEVELS_ABOVE).join('.') || 'what is told', ...part };
  });
}

function nameOfPredictor(one: object): string | null {
  return 'name' in one && 'version' in one ? `${one.name}` : null;
}

/** The teller and its listeners. */
const LEVELS_ABOVE = 2;
