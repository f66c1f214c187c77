import { TrainedNetwork } from './forward.ts';
import type { TrainedState, TrainingSettings } from './training.ts';
import { networkFor } from './training-event.ts';

const TEXTS_KEPT = 500;

/** A trained network with what it said of the last texts. */
export class ServingNetwork {
  private readonly network: TrainedNetwork;
  private readonly said = new Map<string, Float64Array[]>();

  constructor(settings: TrainingSettings, { table, parameters }: TrainedState) {
    this.network = new TrainedNetwork(networkFor(settings), table, parameters);
  }

  /** Probabilities of the classes of each head; not to be changed. */
  probabilities(characters: Uint8Array): readonly Float64Array[] {
    const key = String.fromCharCode(...characters);
    const known = this.said.get(key);
    if (known) return known;
    const said = this.network.probabilities(characters);
    if (this.said.size >= TEXTS_KEPT) this.said.clear();
    this.said.set(key, said);
    return said;
  }
}

const networks = new WeakMap<TrainedState, ServingNetwork>();

/** One for all predictors that are served by the same state. */
export function servingNetwork(settings: TrainingSettings, state: TrainedState): ServingNetwork {
  const network = networks.get(state) ?? new ServingNetwork(settings, state);
  networks.set(state, network);
  return network;
}
