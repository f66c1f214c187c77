import { z } from 'zod';
import type { WaitPredictor } from '../predict/predictor.ts';
import { QUANTITIES } from '../predict/quantities.ts';
import { createWaitPredictor } from '../predict/registry.ts';
import { type PredictorSettings, parseTuned, type SettingsByPredictor } from '../predict/settings.ts';
import type { Parameters } from './experiment.ts';

/**
 * A new predictor by name, as an experiment's parameter `settings` tells it to be; as it is from an empty text. A
 * variant, `NAME+PARAMETER=VALUE+...`, has some parameters of its own, so that an experiment can compare them.
 * @throws RangeError for an unknown name, a text that is no JSON object, or a setting that cannot be
 */
export function toldPredictor(variant: string, parameters: Parameters): WaitPredictor {
  const { name, settings } = toldVariant(variant, parameters);
  return createWaitPredictor(name, settings);
}

/** The predictor's name that a variant begins with, and the settings that it is to have, as for `toldPredictor`. */
export function toldVariant(
  variant: string,
  { settings }: Parameters,
): { readonly name: string; readonly settings: PredictorSettings } {
  const [name = '', ...told] = variant.split('+');
  const own = told.map((one): [string, number | string] => {
    const [parameter = '', value = ''] = one.split('=');
    const number = Number(value);
    return [parameter, value === '' || Number.isNaN(number) ? value : number];
  });
  return { name, settings: { ...settingsFor(name, String(settings)), ...Object.fromEntries(own) } };
}

/** A file of tuned parameters. */
export interface TunedFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Files that `gridcast tune` wrote as the text that experiments take as their parameter `settings`.
 * @throws RangeError for a file that is none
 */
export function settingsText(files: readonly TunedFile[]): string {
  return JSON.stringify(Object.assign({}, ...files.map(({ name, text }) => parseTuned(text, name))));
}

/**
 * The settings of one predictor from the parameter `settings`; none from an empty text.
 * @throws RangeError for a text that is no JSON object, or that names a predictor that does not exist
 */
export function settingsFor(predictor: string, text: string): PredictorSettings {
  if (text === '') return {};
  const all = parsed(text);
  for (const name of Object.keys(all)) {
    if (!QUANTITIES.some(({ predictors }) => predictors.has(name)))
      throw new RangeError(`parameter settings names ${name}, which is no predictor`);
  }
  return all[predictor] ?? {};
}

function parsed(text: string): SettingsByPredictor {
  try {
    return settingsByPredictor.parse(JSON.parse(text));
  } catch {
    throw new RangeError(`parameter settings must be JSON like {"wait/apq":{"capacity":4000}}, not ${text}`);
  }
}

const settingsByPredictor = z.record(z.string(), z.record(z.string(), z.union([z.number(), z.string()])));
