import { pino } from 'pino';
import { SiteFailure } from '../domain/failures.ts';
import { storeAtFault } from '../store/outages.ts';
import { RedisFault } from '../store/redis-fault.ts';

/**
 * An error for the log. Where in our code a site's fault came up, or that a store is away, tells nobody anything, so
 * these have no stack. Of a command that was sent there is nothing but its name: its arguments hold passwords.
 */
export function asLogged(error: Error): object {
  if (error instanceof SiteFailure) {
    const { name, kind, code, message, siteSays } = error;
    return { type: name, kind, code, message, siteSays };
  }
  if (storeAtFault(error) !== null) {
    const { name, code, message } = error as NodeJS.ErrnoException;
    return { type: name, code, message, ...(error instanceof RedisFault && { command: error.command }) };
  }
  return withoutArguments(pino.stdSerializers.err(error), DEEPEST) as object;
}

function withoutArguments(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (levels === 0) return '[...]';
  if (Array.isArray(value)) return value.map((item) => withoutArguments(item, levels - 1));
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    COMMANDS.has(name) ? nameOf(field) : withoutArguments(field, levels - 1),
  ]);
  return Object.fromEntries(fields);
}

/** Clients of stores keep a command as an object, who starts programs as a text. */
function nameOf(command: unknown): unknown {
  if (typeof command === 'string') return command.split(' ')[0];
  return (command as { readonly name?: unknown } | null)?.name ?? null;
}

const COMMANDS = new Set(['command', 'escapedCommand']);
const DEEPEST = 5;
