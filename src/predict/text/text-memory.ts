import type { JobRequest } from '../../domain/job.ts';
import { keepClass } from '../../domain/kept-classes.ts';
import { RecentGroups } from '../recent-groups.ts';
import { AmountTrail } from './amount-trail.ts';
import { LikeMeanings } from './like-meanings.ts';
import { LikeTexts, type NearTexts } from './like-texts.ts';
import { NumberFit } from './number-fit.ts';
import { type ReadText, readText } from './read-text.ts';

/** What tells predictors whether texts have embeddings. */
export interface EmbeddingParameter {
  /** A number of the model that makes them, another one for another model; 0 for none. */
  readonly embedding: number;
}

/** What is known of a job's amount from its text at its submission. */
export interface TextSight {
  /** The same for every job of one memory; not-a-number stands for unknown. */
  readonly features: Float32Array;
  /** The best guess, on the scale of logarithms; not-a-number before anything is known. */
  readonly guess: number;
  readonly guesses: Guesses;
}

/** By method. */
type Guesses = Readonly<Record<(typeof METHODS)[number], number>>;

/**
 * What jobs came to, runtime or bytes, by what is known of their texts: those of the same text, name, folder, account,
 * the nearest earlier texts, and what the numbers in them say. Each job costs a bounded time whatever its text is; of
 * very many groups those are forgotten that were heard of least recently. Amounts are on the scale of logarithms.
 */
export class TextMemory {
  private readonly trails = new RecentGroups<AmountTrail>();
  private readonly fits = new RecentGroups<NumberFit>(MOST_FITS);
  private readonly likes = new RecentGroups<LikeTexts>(MOST_FITS);
  /** How far each method's guesses have been off lately. */
  private readonly errors = new RecentGroups<AmountTrail>();
  private readonly meanings: LikeMeanings | null;

  /** @param usesEmbeddings whether jobs' texts have them, as far as they are known */
  constructor(usesEmbeddings = false) {
    this.meanings = usesEmbeddings ? new LikeMeanings() : null;
  }

  see(job: JobRequest, at: number): TextSight {
    const text = readOf(job);
    const numbers = numbersOf(job, text);
    const trails = groupsOf(job, text).map((key) => (key === null ? NOTHING : (this.trails.get(key) ?? NOTHING)));
    const fitted = this.fits.get(skeletonOf(job, text))?.valueOf(numbers) ?? null;
    const like = this.likes.get(userOf(job))?.nearTo(text.sketch) ?? null;
    const wider = fitted && fitted.runs >= ENOUGH_RUNS ? null : this.fits.get(outlineOf(job, text))?.valueOf(numbers);
    const meaning = this.meaningOf(job);
    const said = { numbers: fitted?.value, outline: wider?.value, like: like?.median, meaning: meaning?.median };
    const guesses = guessesOf(trails, said);
    const guess = this.best(job, text, guesses);
    const features = [text.length, text.lines];
    addFirst(features, text.numbers);
    for (const word of text.words) features.push(word);
    trails.forEach((trail, group) => {
      addTrail(features, trail, at, CLOSE.includes(group));
    });
    features.push(orUnknown(fitted?.value), orUnknown(fitted?.deviation), orUnknown(fitted?.runs));
    features.push(orUnknown(like?.median), orUnknown(like?.last), orUnknown(like?.alikeness));
    features.push(guess, this.errorOf(job, text));
    if (this.meanings) features.push(...embeddingFeatures(job, meaning));
    return { features: new Float32Array(features), guess, guesses };
  }

  /** @param sight of the job at its submission */
  learn(job: JobRequest, { guesses, guess }: TextSight, value: number, at: number): void {
    const text = readOf(job);
    for (const key of groupsOf(job, text))
      if (key !== null) this.trails.heardOf(key, () => new AmountTrail()).learn(value, at);
    const numbers = numbersOf(job, text);
    for (const key of [skeletonOf(job, text), outlineOf(job, text)]) {
      this.fits.heardOf(key, () => new NumberFit()).learn(numbers, value);
    }
    this.likes.heardOf(userOf(job), () => new LikeTexts()).learn(text, value);
    if (job.program?.embedding) this.meanings?.learn(job.program.embedding, value);
    for (const method of METHODS) this.learnError(`${method}`, job, text, value - guesses[method], at);
    this.learnError(BEST, job, text, value - guess, at);
  }

  /** The method that has been off least, for jobs of the kind and for all. */
  private best(job: JobRequest, text: ReadText, guesses: Guesses): number {
    let [best, least] = [Number.NaN, Number.POSITIVE_INFINITY];
    for (const method of METHODS) {
      if (Number.isNaN(guesses[method])) continue;
      const all = this.errors.get(method);
      const own = this.errors.get(`${method} ${skeletonOf(job, text)}`);
      const [known, prior] = [Math.min(10, own?.count ?? 0), orElse(all?.mean, UNKNOWN_ERROR)];
      const error = (PRIOR * prior + known * orElse(own?.mean, prior)) / (PRIOR + known);
      if (error < least) [best, least] = [guesses[method], error];
    }
    return best;
  }

  private meaningOf({ program }: JobRequest): NearTexts | null {
    return (program?.embedding && this.meanings?.nearTo(program.embedding)) ?? null;
  }

  private errorOf(job: JobRequest, text: ReadText): number {
    return orUnknown(this.errors.get(`${BEST} ${skeletonOf(job, text)}`)?.mean);
  }

  private learnError(method: string, job: JobRequest, text: ReadText, error: number, at: number): void {
    if (Number.isNaN(error)) return;
    const off = Math.min(UNKNOWN_ERROR, Math.abs(error));
    this.errors.heardOf(method, () => new AmountTrail()).learn(off, at);
    this.errors.heardOf(`${method} ${skeletonOf(job, text)}`, () => new AmountTrail()).learn(off, at);
  }
}

/** Best first where nothing is known of their errors. */
const METHODS = [
  'same',
  'numbers',
  'outline',
  'name',
  'shape',
  'like',
  'meaning',
  'folder',
  'twins',
  'user',
  'site',
] as const;

function guessesOf(
  trails: readonly AmountTrail[],
  { numbers, outline, like, meaning }: Readonly<Record<'numbers' | 'outline' | 'like' | 'meaning', number | undefined>>,
): Guesses {
  const of = (group: (typeof GROUPS)[number]) => trails[GROUPS.indexOf(group)]?.median() ?? Number.NaN;
  const [same, name, shape] = [of('whole'), of('name'), of('shape')];
  return {
    same,
    numbers: orUnknown(numbers),
    outline: orUnknown(outline),
    name,
    shape,
    like: orUnknown(like),
    meaning: orUnknown(meaning),
    folder: of('folder'),
    twins: of('twins'),
    user: of('user'),
    site: of('site'),
  };
}

/** Names of the groups that a job belongs to; null where what they are told by is not known. */
function groupsOf(job: JobRequest, text: ReadText): (string | null)[] {
  const user = userOf(job);
  const { processors, requestedWalltimeSeconds: walltime, queue, account, group } = job;
  return [
    `whole ${user} ${text.whole} ${processors}`,
    `shape ${user} ${text.shape}`,
    `skeleton ${skeletonOf(job, text)} ${processors}`,
    `name ${user} ${text.name}`,
    `stem ${user} ${text.stem}`,
    `stem ${text.stem}`,
    text.folder === '' ? null : `folder ${user} ${text.folder}`,
    account === undefined ? null : `account ${account}`,
    group === undefined ? null : `group ${group}`,
    `twins ${user} ${processors} ${walltime} ${queue}`,
    `user ${user}`,
    'site',
  ];
}

/** In the order of `groupsOf`. */
const GROUPS = [
  'whole',
  'shape',
  'skeleton',
  'name',
  'stem',
  'anyStem',
  'folder',
  'account',
  'group',
  'twins',
  'user',
  'site',
] as const;
/** Groups of which more is told. */
const CLOSE: readonly number[] = [0, 1, 2, 3, 4, 6];

function addTrail(features: number[], trail: AmountTrail, at: number, isClose: boolean): void {
  features.push(trail.count, trail.mean, trail.value(1));
  if (isClose) features.push(trail.median(), trail.range(), at - trail.lastAt);
}

/** Some of its numbers, and what the nearest texts came to; all unknown where the text has none. */
function embeddingFeatures({ program }: JobRequest, near: NearTexts | null): number[] {
  const told = Array.from({ length: TOLD_DIMENSIONS }, (_, i) => program?.embedding?.[i] ?? Number.NaN);
  return [...told, ...[near?.median, near?.last, near?.alikeness].map(orUnknown)];
}

/** The first numbers of the text, whatever they mean. */
function addFirst(features: number[], numbers: ReadonlyMap<string, number>): void {
  const values = [...numbers.values()];
  for (let i = 0; i < FIRST_NUMBERS; i++) features.push(values[i] ?? Number.NaN);
}

/** What a job's amount may depend on: the numbers of its text, and of its request. */
function numbersOf({ processors, requestedWalltimeSeconds: walltime }: JobRequest, { numbers }: ReadText) {
  const all = new Map(numbers).set(' processors', processors);
  return walltime === null ? all : all.set(' walltime', walltime);
}

function readOf({ program }: JobRequest): ReadText {
  if (!program) return NO_TEXT;
  const known = lately.get(program);
  if (known) return known;
  const read = readText(program);
  lately.set(program, read);
  return read;
}

function userOf({ user }: JobRequest): string {
  return user ?? '';
}

function skeletonOf(job: JobRequest, { skeleton }: ReadText): string {
  return `${userOf(job)} ${skeleton}`;
}

function outlineOf(job: JobRequest, { outline }: ReadText): string {
  return `outline ${userOf(job)} ${outline}`;
}

function orUnknown(value: number | undefined): number {
  return value ?? Number.NaN;
}

function orElse(value: number | undefined, other: number): number {
  return value === undefined || Number.isNaN(value) ? other : value;
}

/** A text is read once, however often its job is asked about. */
const lately = new WeakMap<object, ReadText>();
const NO_TEXT = readText({ name: null, script: null, arguments: [], workFolder: null });
const NOTHING = new AmountTrail();
const BEST = 'best';
const MOST_FITS = 10_000;
/** From so many runs on nobody asks what the runs of more scripts say. */
const ENOUGH_RUNS = 10;
/** Of an embedding, whose numbers all tell as much. */
const TOLD_DIMENSIONS = 8;
const FIRST_NUMBERS = 6;
const UNKNOWN_ERROR = 5;
const PRIOR = 2;

keepClass(TextMemory);
