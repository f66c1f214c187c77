import type { Db } from './database.ts';

/** How much of what is asked for shares a statement. */
interface Gathered {
  /** Items of one statement. */
  readonly most?: number;
  /** After one of several items the next one begins so much later, so that more are in it; at once unless told. */
  readonly paceMilliseconds?: number;
}

/** The like of what is asked for at one database, or in one transaction, and has not been sent yet. */
interface Gathering<Item, Answer> {
  readonly key: string;
  readonly waiting: Waiting<Item, Answer>[];
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * A statement that those share who ask for the like of it at a time, reads and writes alike, so that a hundred who ask
 * cost a few statements. One is under way at a time, and who comes meanwhile is in the next one, so nobody is given
 * what was read before it asked. One that does not end holds the next one back for a second.
 * @param keyOf what is the like of each other, in a word
 * @param run answers such items, in their order; what it throws is thrown to all of them
 */
export function gathered<Item, Answer>(
  keyOf: (item: Item) => string,
  run: (db: Db, items: readonly Item[]) => Promise<readonly Answer[]>,
  { most = MOST_GATHERED, paceMilliseconds = 0 }: Gathered = {},
): (db: Db, item: Item) => Promise<Answer> {
  const all = new WeakMap<Db, Map<string, Gathering<Item, Answer>>>();

  async function send(db: Db, gathering: Gathering<Item, Answer>): Promise<void> {
    const sent = gathering.waiting.splice(0, most);
    // One that came late has sent them.
    if (sent.length === 0) return;
    const items = sent.map(({ item }) => item);
    try {
      const pace = items.length > 1 ? paceMilliseconds : 0;
      const answers = await within(run(db, items), pace, () => goOn(db, gathering));
      for (const [index, { resolve }] of sent.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
  }

  /** After this turn of the event loop, so that all who are about to ask have asked. */
  function goOn(db: Db, gathering: Gathering<Item, Answer>): void {
    if (gathering.waiting.length > 0) setImmediate(() => void send(db, gathering));
    else all.get(db)?.delete(gathering.key);
  }

  return (db, item) => {
    const gatherings = all.get(db) ?? new Map<string, Gathering<Item, Answer>>();
    all.set(db, gatherings);
    const key = keyOf(item);
    const known = gatherings.get(key);
    const gathering = known ?? { key, waiting: [] };
    if (!known) gatherings.set(key, gathering);
    return new Promise((resolve, reject) => {
      gathering.waiting.push({ item, resolve, reject });
      if (!known) goOn(db, gathering);
    });
  };
}

/**
 * Says once that the next one may go: when the answer is there, and some time is over, or has been waited for long
 * enough.
 */
async function within<Answer>(answer: Promise<Answer>, paceMilliseconds: number, goOn: () => void): Promise<Answer> {
  const begunAt = performance.now();
  let isLate = false;
  const patience = setTimeout(() => {
    isLate = true;
    goOn();
  }, PATIENCE_MILLISECONDS).unref();
  try {
    return await answer;
  } finally {
    clearTimeout(patience);
    const leftMilliseconds = begunAt + paceMilliseconds - performance.now();
    if (!isLate && leftMilliseconds <= 0) goOn();
    else if (!isLate) setTimeout(goOn, leftMilliseconds);
  }
}

const MOST_GATHERED = 64;
const PATIENCE_MILLISECONDS = 1000;

/** All are alike. */
export const ANY = () => '';

/** A list for `IN` of one of few lengths, its last item again, so that texts of statements with such lists recur. */
export function padded<Item>(items: readonly Item[]): Item[] {
  const last = items.at(-1);
  if (last === undefined) return [];
  const length = 2 ** Math.ceil(Math.log2(items.length));
  return [...items, ...Array.from({ length: length - items.length }, () => last)];
}

/** For what many turns and requests do at a time, and none is waited for by anybody who would notice. */
export const PACE_MILLISECONDS = 8;
