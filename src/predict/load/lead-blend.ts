import { keepClass } from '../../domain/kept-classes.ts';
/** What is expected of a slot ahead: as the next one, as in the last day, as in the last weeks. */
export type LeadParts = readonly [next: number, day: number, weeks: number];

/**
 * Learns for one lead how much of each part an outcome is made of: weights that are not negative, by least squares over
 * outcomes that fade, relative to the level of the last weeks and drawn to what is said beforehand.
 */
export class LeadBlend {
  private readonly gram = new Float64Array(PARTS * PARTS);
  private readonly right = new Float64Array(PARTS);
  private readonly weights: Float64Array;

  /** @param lead in slots */
  constructor(lead: number) {
    const next = Math.exp(-lead / PRIOR_SLOTS);
    const prior = [next, (1 - next) / 3, ((1 - next) * 2) / 3];
    this.weights = Float64Array.from(prior);
    prior.forEach((weight, i) => {
      this.gram[(PARTS + 1) * i] = PRIOR_OUTCOMES;
      this.right[i] = PRIOR_OUTCOMES * weight;
    });
  }

  expected(parts: LeadParts): number {
    let sum = 0;
    for (let i = 0; i < PARTS; i++) sum += (parts[i] as number) * (this.weights[i] as number);
    return sum;
  }

  /** @param level that amounts are looked at relative to; nothing is learned where it is 0 */
  learn(parts: LeadParts, actual: number, level: number): void {
    if (!(level > 0)) return;
    const scaled = parts.map((part) => Math.min(part / level, MOST_RELATIVE));
    const outcome = Math.min(actual / level, MOST_RELATIVE);
    for (let a = 0; a < PARTS; a++) {
      this.right[a] = (this.right[a] as number) * FADING + (scaled[a] as number) * outcome;
      for (let b = 0; b < PARTS; b++) {
        const product = (scaled[a] as number) * (scaled[b] as number);
        this.gram[PARTS * a + b] = (this.gram[PARTS * a + b] as number) * FADING + product;
      }
    }
    this.improve();
  }

  /** One round of coordinate descent from where the weights stand, each kept from falling below 0. */
  private improve(): void {
    for (let a = 0; a < PARTS; a++) {
      const diagonal = this.gram[(PARTS + 1) * a] as number;
      if (!(diagonal > 1e-9)) continue;
      let rest = this.right[a] as number;
      for (let b = 0; b < PARTS; b++)
        if (b !== a) rest -= (this.gram[PARTS * a + b] as number) * (this.weights[b] as number);
      this.weights[a] = Math.max(0, rest / diagonal);
    }
  }
}

const PARTS = 3;
/** After so many slots the next slot's expectation is believed a third as much, until outcomes say otherwise. */
const PRIOR_SLOTS = 12;
/** How many outcomes what is said beforehand counts for. */
const PRIOR_OUTCOMES = 500;
/** Outcomes are halved in weight in about a month of slots. */
const FADING = 1 - 1 / 12_000;
/** Outcomes beyond so many times the usual level are taken for that, lest one burst decide for months. */
const MOST_RELATIVE = 100;

keepClass(LeadBlend);
