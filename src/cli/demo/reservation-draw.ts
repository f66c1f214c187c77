import { RandomStream } from '../../sim/random.ts';

/** One reservation to ask for, as the VARQ report drew them. */
export interface ReservationDraw {
  readonly site: string;
  readonly processors: number;
  readonly walltimeSeconds: number;
  readonly probability: number;
}

/** A site's name and size. */
export interface DrawSite {
  readonly name: string;
  readonly processors: number;
}

const PROCESSORS = [1, 4, 8, 16, 32] as const;
const WALLTIME_SECONDS = [600, 1800, 3600, 7200, 14_400] as const;
export const PROBABILITIES = [0.5, 0.75, 0.95] as const;
/** Asking for more than that share of a machine again and again would be most of its load. */
const LARGEST_SHARE = 1 / 8;

/**
 * The reservation of a slot, after so many refusals. Sites and probabilities take turns, so that each meets each; sizes
 * are drawn; after a refusal everything is drawn. The same seed, slot and attempt give the same reservation. Source:
 * nurmi-varq, section 4.1.
 */
export function drawReservation(
  sites: readonly DrawSite[],
  seed: number,
  slot: number,
  attempt: number,
): ReservationDraw {
  const random = new RandomStream(seed + 7919 * slot + 104_729 * attempt);
  const inTurn = attempt === 0;
  const site = inTurn ? at(sites, slot % sites.length) : pick(random, sites);
  const probability = inTurn ? at(PROBABILITIES, Math.floor(slot / sites.length) % 3) : pick(random, PROBABILITIES);
  const fitting = PROCESSORS.filter((processors) => processors <= Math.max(1, site.processors * LARGEST_SHARE));
  return {
    site: site.name,
    probability,
    processors: pick(random, fitting),
    walltimeSeconds: pick(random, WALLTIME_SECONDS),
  };
}

function pick<T>(random: RandomStream, choices: readonly T[]): T {
  return at(choices, Math.min(choices.length - 1, Math.floor(random.uniform() * choices.length)));
}

function at<T>(list: readonly T[], index: number): T {
  return list[index] as T;
}
