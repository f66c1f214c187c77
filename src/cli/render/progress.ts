import cliProgress from 'cli-progress';
import { formatSeconds } from '../../domain/duration.ts';

const { Format, Presets, SingleBar } = cliProgress;

/** Progress of long work, on standard error. */
export interface Progress {
  /** @param total when it has become known, or has changed */
  update(done: number, note?: string, total?: number): void;
  stop(): void;
}

/** A bar on a terminal, a line every tenth of the way elsewhere, and nothing with `--json`. */
export function startProgress(what: string, total: number, quiet: boolean): Progress {
  if (quiet) return { update: () => undefined, stop: () => undefined };
  return process.stderr.isTTY ? startBar(what, total) : startLines(what, total);
}

function startBar(what: string, total: number): Progress {
  const bar = new SingleBar(
    {
      stream: process.stderr,
      hideCursor: true,
      format: (options, params, payload) => {
        const seconds = Math.max(0.001, (Date.now() - params.startTime) / 1000);
        const pace = `${Math.round(params.value / seconds)}/s, ${formatLeft(params.total, params.value, seconds)} left`;
        const bar = Format.BarFormat(params.progress, options);
        return `  ${what} ${bar} ${params.value}/${params.total} ${pace} ${payload.note ?? ''}`;
      },
    },
    Presets.rect,
  );
  bar.start(total, 0, { note: '' });
  return {
    update(done, note = '', newTotal = bar.getTotal()) {
      if (newTotal !== bar.getTotal()) bar.setTotal(newTotal);
      bar.update(Math.min(newTotal, done), { note });
    },
    stop: () => bar.stop(),
  };
}

function formatLeft(total: number, done: number, seconds: number): string {
  return done === 0 ? '?' : formatSeconds((seconds * (total - done)) / done);
}

function startLines(what: string, total: number): Progress {
  let told = -1;
  return {
    update(done, note = '', newTotal = total) {
      const tenth = newTotal === 0 ? 10 : Math.floor((done / newTotal) * 10);
      if (tenth <= told) return;
      told = tenth;
      process.stderr.write(`  ${what} ${done}/${newTotal} ${note}\n`);
    },
    stop: () => undefined,
  };
}
