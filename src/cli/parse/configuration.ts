import { CliFailure, EXIT } from '../failure.ts';
import { readGiven } from '../files.ts';

/** A site's configuration as given: JSON, or @FILE with JSON in it. @throws CliFailure */
export function parseConfiguration(text: string): unknown {
  const json = text.startsWith('@') ? readGiven(text.slice(1), 'configuration') : text;
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new CliFailure(`--configuration is no JSON: ${(error as Error).message}`, EXIT.usage);
  }
}
