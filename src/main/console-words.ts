import { format } from 'node:util';
import type { Logger } from 'pino';

/**
 * Has the log tell what packages print on the console, as BullMQ does of a Redis that may throw keys away, and what
 * Node.js warns of: each of their lines once, for every queue prints it.
 * @returns gives the console back
 */
export function logConsole(logger: Logger): () => void {
  const told = new Set<string>();
  const { warn, error } = console;
  const tell = (...words: unknown[]) => {
    const line = format(...words).slice(0, MOST_CHARACTERS);
    if (told.has(line) || told.size >= MOST_LINES) return;
    told.add(line);
    logger.warn({ words: line }, 'a package says');
  };
  const tellWarning = ({ name, message }: Error) => tell(`${name}: ${message}`);
  const printers = process.listeners('warning');
  console.warn = tell;
  console.error = tell;
  process.removeAllListeners('warning').on('warning', tellWarning);
  return () => {
    Object.assign(console, { warn, error });
    process.off('warning', tellWarning);
    for (const printer of printers) process.on('warning', printer);
  };
}

const MOST_CHARACTERS = 2000;
const MOST_LINES = 1000;
