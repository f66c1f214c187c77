import type { CommandContext } from '../../commands/carry-out/context.ts';
import type { WaitQuery } from '../../domain/forecast.ts';
import { type BytesForecast, bytesOf } from './bytes-forecast.type.ts';
import { type RuntimeForecast, runtimeOf } from './runtime-forecast.type.ts';

/** What else can be asked of the job whose wait is forecast; each is computed where it is asked for. */
export interface OfTheJob {
  runtime(): Promise<RuntimeForecast>;
  readBytes(): Promise<BytesForecast | null>;
  writtenBytes(): Promise<BytesForecast | null>;
}

/** What else there is to ask of a job at a site. */
export function ofTheJob(commands: CommandContext, siteId: string, query: WaitQuery): OfTheJob {
  return {
    runtime: () => runtimeOf(commands, siteId, query),
    readBytes: () => bytesOf(commands, siteId, query, 'readBytes'),
    writtenBytes: () => bytesOf(commands, siteId, query, 'writtenBytes'),
  };
}
