import { createHash } from 'node:crypto';
import { withinTime } from '../domain/deadline.ts';
import type { Program } from '../domain/program.ts';
import { AskedProcess } from './asked-process.ts';
import type { EmbedderAnswer, EmbeddingRequest } from './embedder-protocol.ts';
import type { EmbeddingModel } from './embedding-model.ts';

/** Whatever has a text. */
interface WithProgram {
  readonly program?: Program | undefined;
}

/** A text that is to be embedded, and who waits for that. */
interface AskedText {
  readonly hash: string;
  readonly text: string;
  done(): void;
}

/**
 * Where the texts of jobs lie, by a model that was given. It computes in a process of its own; who asks waits for a
 * stated time and goes on with what is known by then, and what comes later is known the next time. A model that cannot
 * be used, or ends its process again and again, leaves every text without.
 */
export class Embedder {
  /** By the hash of a text, those that were heard of last; null for one that has no place. */
  private readonly known = new Map<string, Float32Array | null>();
  private readonly waiting = new Map<string, Promise<void>>();
  private readonly queue: AskedText[] = [];
  private isComputing = false;
  private deaths = 0;
  private isUnusable = false;

  /** @param warn told once why no text has an embedding */
  constructor(
    private readonly model: EmbeddingModel,
    private readonly warn: (message: string) => void,
    private readonly process = new AskedProcess<EmbeddingRequest, EmbedderAnswer>('embedder-child', MOST_MILLISECONDS),
  ) {}

  /**
   * The jobs, their programs with their embeddings as far as they are known after that time.
   * @param patienceMilliseconds wall time; 0 for no wait at all
   */
  async tell<Job extends WithProgram>(jobs: readonly Job[], patienceMilliseconds: number): Promise<Job[]> {
    if (this.isUnusable) return [...jobs];
    const texts = new Map(jobs.flatMap(({ program }) => (program ? [entryOf(program)] : [])));
    const asked = Array.from(texts, ([hash, text]) => this.ask(hash, text)).filter((one) => one !== null);
    const answered = Promise.all(asked);
    if (patienceMilliseconds === Number.POSITIVE_INFINITY) await answered;
    else if (asked.length > 0 && patienceMilliseconds > 0) await withinTime(answered, patienceMilliseconds);
    return jobs.map((job) => this.told(job));
  }

  /** Loads the model, so that one that cannot be used is told of before a text needs it. */
  async begin(): Promise<void> {
    this.take(await this.process.ask({ model: this.model, texts: [] }), []);
  }

  close(): void {
    this.isUnusable = true;
    this.giveUp();
    this.process.kill();
  }

  private told<Job extends WithProgram>(job: Job): Job {
    const embedding = job.program && this.known.get(hashOf(textOf(job.program)));
    return embedding ? { ...job, program: { ...job.program, embedding } } : job;
  }

  /** Null where there is nothing to wait for. */
  private ask(hash: string, text: string): Promise<void> | null {
    const known = this.known.get(hash);
    if (known !== undefined) {
      this.keep(hash, known);
      return null;
    }
    const waiting = this.waiting.get(hash);
    if (waiting || this.queue.length >= MOST_WAITING) return waiting ?? null;
    const asked = new Promise<void>((done) => this.queue.push({ hash, text, done }));
    this.waiting.set(hash, asked);
    void this.compute();
    return asked;
  }

  /** The newest first: somebody waits for them. */
  private async compute(): Promise<void> {
    if (this.isComputing) return;
    this.isComputing = true;
    for (;;) {
      const texts = this.queue.splice(-TEXTS_AT_ONCE);
      if (texts.length === 0) break;
      const answer = await this.process.ask({ model: this.model, texts: texts.map(({ text }) => text) });
      this.take(answer, texts);
    }
    this.isComputing = false;
  }

  private take(answer: EmbedderAnswer | null, texts: readonly AskedText[]): void {
    if (answer?.kind === 'unusable') this.say(answer.reason);
    this.deaths = answer === null ? this.deaths + 1 : 0;
    if (this.deaths >= MOST_DEATHS) this.say(`the process that embeds ended ${MOST_DEATHS} times in a row`);
    const embeddings = answer?.kind === 'embedded' ? answer.embeddings : [];
    for (const [i, asked] of texts.entries()) this.settle(asked, embeddings[i] ?? null);
    if (this.isUnusable) this.giveUp();
  }

  private settle({ hash, done }: AskedText, embedding: Float32Array | null): void {
    this.keep(hash, embedding);
    this.waiting.delete(hash);
    done();
  }

  private keep(hash: string, embedding: Float32Array | null): void {
    this.known.delete(hash);
    this.known.set(hash, embedding);
    if (this.known.size > MOST_KNOWN) this.known.delete(this.known.keys().next().value as string);
  }

  private say(reason: string): void {
    if (this.isUnusable) return;
    this.isUnusable = true;
    this.warn(`texts have no embeddings: ${reason}`);
  }

  private giveUp(): void {
    for (const asked of this.queue.splice(0)) this.settle(asked, null);
  }
}

function entryOf(program: Program): [string, string] {
  const text = textOf(program);
  return [hashOf(text), text];
}

/** What is read of a job: its script and arguments; where only its name is known, that. */
function textOf({ name, script, arguments: args }: Program): string {
  const text = script === null && args.length === 0 ? (name ?? '') : [script ?? '', ...args].join('\n');
  return text.slice(0, MOST_CHARACTERS);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Models read no more. */
const MOST_CHARACTERS = 4096;
const TEXTS_AT_ONCE = 16;
/** For so many texts, in wall time; the first of them waits until the model is loaded. */
const MOST_MILLISECONDS = 60_000;
const MOST_DEATHS = 3;
const MOST_WAITING = 20_000;
/** Some 250 bytes each. */
const MOST_KNOWN = 50_000;
