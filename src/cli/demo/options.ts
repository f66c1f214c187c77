/** What `gridcast demo` was told. */
export interface DemoOptions {
  readonly once?: boolean;
  readonly resume?: boolean;
  readonly scale?: number;
  readonly port?: number;
  readonly seed?: number;
  readonly data?: string;
  readonly trace?: readonly string[];
  readonly reservations?: number;
}

/** One real second is five simulated minutes. */
export const STORY_SCALE = 300;
/** Many reservations six hours ahead need days; one real second is ten minutes then. */
export const RESERVATIONS_SCALE = 600;
export const DEFAULT_SEED = 20_261_120;

/**
 * Settings of the service for a clock of that scale: on every site's clock as often as on the wall's, every 0.2 s a
 * look at each queue, every 2 s its accounting, every second the trajectories of what is promised; half a second to
 * hand a job over.
 */
export function settingsFor(scale: number): Record<string, string> {
  const seconds = (wallSeconds: number, least: number) => String(Math.max(least, Math.round(wallSeconds * scale)));
  return {
    GRIDCAST_OBSERVE_SECONDS: seconds(0.2, 1),
    GRIDCAST_HISTORY_SECONDS: seconds(2, 5),
    GRIDCAST_RECOMPUTE_SECONDS: seconds(1, 5),
    GRIDCAST_STALE_SECONDS: seconds(6, 30),
    GRIDCAST_HANDOVER_SECONDS: seconds(0.5, 5),
    GRIDCAST_RETRY_SECONDS: seconds(0.1, 1),
    GRIDCAST_LEASE_MILLISECONDS: '3000',
    GRIDCAST_SWEEP_MILLISECONDS: '500',
  };
}
