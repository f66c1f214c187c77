import type { Config } from './config.ts';

/**
 * What takes the passwords and tokens of a configuration out of a line of the log, wherever in it they are. It is the
 * last resort, for nothing should write one. A short one, or one of letters alone, stays: it may be a word that the log
 * is full of, and would be told by its gaps.
 */
export function cutterOfSecrets(config: Config): (line: string) => string {
  const { DATABASE_URL, REDIS_URL, GRIDCAST_TOKEN, GRIDCAST_METRICS_TOKEN } = config;
  const passwords = [DATABASE_URL, REDIS_URL].flatMap((url) => (url === undefined ? [] : passwordsOf(url)));
  const secrets = [...passwords, GRIDCAST_TOKEN, GRIDCAST_METRICS_TOKEN]
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= FEWEST_CHARACTERS && !/^\p{L}*$/u.test(secret))
    .map((secret) => JSON.stringify(secret).slice(1, -1));
  return (line) => secrets.reduce((cut, secret) => cut.replaceAll(secret, '[cut]'), line);
}

/** As they are written in an address, and as they are meant. */
function passwordsOf(url: string): string[] {
  const { password, searchParams } = new URL(url);
  return [password, decoded(password), searchParams.get('password') ?? ''];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const FEWEST_CHARACTERS = 8;
