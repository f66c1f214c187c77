/**
 * How many statements a process has sent to PostgreSQL, by what they do: `INSERT Forecast`, `SELECT Site`, `COMMIT`, or
 * the name of the function that is called. Each is one way there and back.
 */
export class StatementCounts {
  private readonly counts = new Map<string, number>();
  private readonly kinds = new Map<string, string>();

  /** Counts one. */
  add(text: string): void {
    const kind = this.kindOf(text);
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  /** So far, by what they do. */
  entries(): IterableIterator<[string, number]> {
    return this.counts.entries();
  }

  private kindOf(text: string): string {
    const known = this.kinds.get(text);
    if (known !== undefined) return known;
    const kind = statementKind(text);
    if (this.kinds.size < MOST_TEXTS) this.kinds.set(text, kind);
    return kind;
  }
}

/** What a statement does: what it writes, or else what it reads first. */
export function statementKind(text: string): string {
  const sql = text.replaceAll(/--.*$/gm, '').replaceAll('"public".', '').trim();
  const written = /\b(INSERT INTO|UPDATE|DELETE FROM)\s+"(\w+)"/.exec(sql);
  if (written) return `${(written[1] ?? '').split(' ')[0]} ${written[2]}`;
  const channel = /pg_notify|pg_advisory_xact_lock/.exec(sql);
  if (channel) return channel[0] === 'pg_notify' ? 'NOTIFY' : 'LOCK';
  const table = /\bFROM\s+"(\w+)"/.exec(sql);
  if (table) return `SELECT ${table[1]}`;
  const called = /\b(?:FROM|SELECT)\s+(\w+)\s*\(/.exec(sql);
  if (called) return `SELECT ${called[1]}`;
  return (/^\w+/.exec(sql)?.[0] ?? 'other').toUpperCase();
}

/** Lists of values make new texts for ever; those after so many are looked at each time. */
const MOST_TEXTS = 2000;
