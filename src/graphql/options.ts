import type { Express } from 'express';
import type { Logger } from 'pino';
import type { CommandContext } from '../commands/carry-out/context.ts';

/** One finished GraphQL operation, for the metrics. */
export interface FinishedOperation {
  /** Null for what could not be parsed. */
  readonly name: string | null;
  readonly type: 'query' | 'mutation' | 'subscription' | null;
  readonly milliseconds: number;
  readonly failed: boolean;
}

/** What the API is started with. */
export interface ApiOptions extends Omit<CommandContext, 'requestId'> {
  /** Address to listen on. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly logger: Logger;
  /** Folder of the built console; without it there is none. */
  readonly consoleFolder?: string;
  /** Adds routes beside /graphql. */
  readonly routes?: (app: Express) => void;
  /** Called after every operation over HTTP. */
  readonly onOperation?: (operation: FinishedOperation) => void;
}
