import { readConfig } from '../../../src/main/config.ts';

const config = readConfig({});

const SERVED: ReadonlySet<string> = new Set([
  ...[config.GRIDCAST_PREDICTOR, ...config.GRIDCAST_ALSO_SCORED],
  ...[config.GRIDCAST_RUNTIME_PREDICTOR, ...config.GRIDCAST_RUNTIME_ALSO_SCORED],
  ...[config.GRIDCAST_IO_PREDICTOR, ...config.GRIDCAST_IO_ALSO_SCORED],
  ...[config.GRIDCAST_LOAD_PREDICTOR, ...config.GRIDCAST_LOAD_ALSO_SCORED],
]);

/** Whether a service that nobody has configured asks this predictor. */
export function isServed(name: string): boolean {
  return SERVED.has(name);
}
