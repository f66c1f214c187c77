import { readFileSync } from 'node:fs';
import { createWaitPredictor } from '../predict/registry.ts';
import { parseTuned, type SettingsByPredictor } from '../predict/settings.ts';
import { ConfigError } from './config.ts';

/**
 * The settings in the files of `GRIDCAST_TUNED`; of a predictor named twice the last counts.
 * @throws ConfigError naming every file that cannot be read or whose predictor cannot be so
 */
export function readTuned(files: readonly string[]): SettingsByPredictor {
  const settings: Record<string, SettingsByPredictor[string]> = {};
  const faults: string[] = [];
  for (const file of files) {
    try {
      Object.assign(settings, parseTuned(readFileSync(file, 'utf8'), file));
    } catch (error) {
      faults.push(`GRIDCAST_TUNED: ${(error as Error).message}`);
    }
  }
  for (const [predictor, told] of Object.entries(settings)) {
    try {
      createWaitPredictor(predictor, told);
    } catch (error) {
      faults.push(`GRIDCAST_TUNED: ${(error as Error).message}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return settings;
}
