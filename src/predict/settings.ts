/** Values told to a predictor in place of its own. */
export type PredictorSettings = Readonly<Record<string, number | string>>;

/** Settings of several predictors, by their names. */
export type SettingsByPredictor = Readonly<Record<string, PredictorSettings>>;

/** What the parameters that are texts may be. */
export type Choices<P> = { readonly [Name in keyof P]?: readonly unknown[] };

/**
 * A predictor's parameters: its own, with the settings in place of some. A parameter that is a whole number stays one
 * and is at least 1, another number lies within (0, 1], a text is one of its choices.
 * @throws RangeError naming predictor, parameter, value and what it may be
 */
export function settled<P extends object>(
  predictor: string,
  defaults: P,
  settings: PredictorSettings,
  choices: Choices<P> = {},
): P {
  for (const [name, value] of Object.entries(settings)) {
    const own = (defaults as Readonly<Record<string, unknown>>)[name];
    if (own === undefined) {
      const known = Object.keys(defaults).join(', ') || 'none';
      throw new RangeError(`${predictor} has no parameter ${name}; it has ${known}`);
    }
    const allowed = choices[name as keyof P];
    const fault = allowed ? faultOfChoice(value, allowed) : faultOfNumber(value, own);
    if (fault) throw new RangeError(`parameter ${name} of ${predictor} must be ${fault}, not ${JSON.stringify(value)}`);
  }
  return { ...defaults, ...settings };
}

/**
 * Reads what `gridcast tune --json FILE` wrote.
 * @param source name of the file, for errors
 * @throws RangeError when the text is something else
 */
export function parseTuned(text: string, source: string): SettingsByPredictor {
  const tuned = parseJson(text, source) as { predictor?: unknown; parameters?: unknown } | null;
  const { predictor, parameters } = tuned ?? {};
  if (typeof predictor !== 'string' || typeof parameters !== 'object' || parameters === null) {
    throw new RangeError(`${source} names no predictor with parameters; write it with gridcast tune NAME --json FILE`);
  }
  return { [predictor]: parameters as PredictorSettings };
}

function faultOfChoice(value: unknown, allowed: readonly unknown[]): string | null {
  return allowed.includes(value) ? null : `one of ${allowed.join(', ')}`;
}

function faultOfNumber(value: unknown, own: unknown): string | null {
  if (Number.isInteger(own)) return Number.isInteger(value) && (value as number) >= 1 ? null : 'a whole number from 1';
  return typeof value === 'number' && value > 0 && value <= 1 ? null : 'a number above 0, at most 1';
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RangeError(`${source} is not JSON: ${(error as Error).message}`);
  }
}
