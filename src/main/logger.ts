import { type DestinationStream, type Logger, pino } from 'pino';
import { SiteFailure } from '../domain/failures.ts';
import type { Config } from './config.ts';
import { LogStream } from './log-stream.ts';

/**
 * The structured log of a process, JSON lines on standard error, which `serve` and the demo keep in files. Secrets and
 * scripts are cut out wherever they appear.
 */
export function createLogger(
  config: Config,
  process: string,
  destination: DestinationStream = new LogStream(STANDARD_ERROR),
): Logger {
  return pino(
    {
      level: config.GRIDCAST_LOG_LEVEL,
      base: { process, pid: globalThis.process.pid },
      serializers: { err: asLogged },
      redact: { paths: SECRET_PATHS, censor: '[cut]' },
    },
    destination,
  );
}

/** An error for the log. Where a site's fault came up in our code tells nobody anything, so it has no stack. */
function asLogged(error: Error): object {
  if (!(error instanceof SiteFailure)) return pino.stdSerializers.err(error);
  const { name, kind, code, message, siteSays } = error;
  return { type: name, kind, code, message, siteSays };
}

const STANDARD_ERROR = 2;
const SECRETS = ['authorization', 'token', 'script', 'password', 'configuration'];
const SECRET_PATHS = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
