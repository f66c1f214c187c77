import type { Logger } from 'pino';
import type { SiteFailure } from '../domain/failures.ts';
import { FaultGate } from '../store/fault-gate.ts';

/**
 * The operator's log of what goes wrong with one site. A fault that stays is one line, and one more now and then; a
 * mistake in the adapter brings its stack the first time.
 */
export class FaultLog {
  private readonly gate = new FaultGate();
  private readonly mistakes = new Set<string>();

  constructor(
    private readonly logger: Logger,
    private readonly site: string,
  ) {}

  /** The site has answered to a verb. */
  noteAnswer(verb: string): void {
    const away = this.gate.clear(verb);
    if (away) this.logger.info({ site: this.site, verb, ...away }, 'the site answers again');
  }

  /** The site has not. Refusals are answers. */
  noteFailure(verb: string, failure: SiteFailure): void {
    const { kind, code, siteSays } = failure;
    if (kind === 'final') return;
    const unlogged = this.gate.note(verb, code);
    if (unlogged === null) return;
    this.logger.warn({ site: this.site, verb, kind, code, siteSays, unlogged, ...this.stackOf(failure) }, 'site fault');
  }

  /** The stack of a mistake in the adapter that has not been logged yet. */
  private stackOf({ code, cause, message }: SiteFailure): { stack?: string | undefined } {
    const isNew = code === 'ADAPTER_FAILED' && !this.mistakes.has(message) && this.mistakes.size < MOST_MISTAKES;
    if (!isNew) return {};
    this.mistakes.add(message);
    return { stack: cause instanceof Error ? cause.stack : String(cause) };
  }
}

const MOST_MISTAKES = 100;
