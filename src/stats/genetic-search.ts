import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** How a genetic search is run. */
export interface GeneticSearchOptions {
  /** Number of genes of an individual, each within [0, 1]. */
  readonly genes: number;
  readonly populationSize: number;
  readonly generations: number;
  readonly random: RandomGenerator;
}

/**
 * Looks for the vector that costs least. The population begins with all ones and else at random; each generation keeps
 * its better half and fills up with children of two parents chosen by tournament, mixed gene by gene, a tenth of the
 * genes drawn anew. Deterministic for the same generator state. Source: Goldberg, Genetic Algorithms in Search,
 * Optimization and Machine Learning (1989), chapter 3; used for the weights of instance-based learning by Li et al.,
 * HPDC 2006.
 * @param cost smaller is better; called once for each individual
 */
export function geneticSearch(cost: (genes: Float64Array) => number, options: GeneticSearchOptions): Float64Array {
  const draw = () => uniformFloat64(options.random);
  const judged = (genes: Float64Array): Individual => ({ genes, cost: cost(genes) });
  let population = Array.from({ length: options.populationSize }, (_, i) =>
    judged(Float64Array.from({ length: options.genes }, () => (i === 0 ? 1 : draw()))),
  ).sort(byCost);
  for (let generation = 0; generation < options.generations; generation++) {
    const parents = population.slice(0, Math.ceil(options.populationSize / 2));
    const children = Array.from({ length: options.populationSize - parents.length }, () =>
      judged(crossed(tournament(parents, draw), tournament(parents, draw), draw)),
    );
    population = [...parents, ...children].sort(byCost);
  }
  return (population[0] as Individual).genes;
}

interface Individual {
  readonly genes: Float64Array;
  readonly cost: number;
}

function byCost(a: Individual, b: Individual): number {
  return a.cost - b.cost;
}

/** The better of two drawn at random, from a population sorted by cost. */
function tournament(sorted: readonly Individual[], draw: () => number): Individual {
  return sorted[Math.floor(Math.min(draw(), draw()) * sorted.length)] as Individual;
}

function crossed(mother: Individual, father: Individual, draw: () => number): Float64Array {
  return mother.genes.map((gene, i) => {
    if (draw() < MUTATION_SHARE) return draw();
    return draw() < 0.5 ? gene : (father.genes[i] as number);
  });
}

const MUTATION_SHARE = 0.1;
