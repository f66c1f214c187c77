import { type Choices, type PredictorSettings, settled } from './settings.ts';

/** Makes a predictor that has learned nothing, with settings in place of some of its parameters. */
export type Create<Made> = (settings?: PredictorSettings) => Made;

/** A line of a registry: a predictor's name with how it is made from the defaults of its parameters. */
export function kind<P extends object, Made>(
  name: string,
  defaults: P,
  create: (parameters: P) => Made,
  choices?: Choices<P>,
): [string, Create<Made>] {
  return [name, (settings = {}) => create(settled(name, defaults, settings, choices))];
}
