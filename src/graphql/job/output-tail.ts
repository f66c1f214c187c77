import { setTimeout as sleep } from 'node:timers/promises';
import type { SubscribeResolverData } from 'type-graphql';
import { notFound } from '../../commands/input/not-found.ts';
import { type OutputOfJob, readOutput } from '../../commands/read-output.ts';
import { CallerError, invariant } from '../../domain/failures.ts';
import { MAX_OUTPUT_BYTES, type OutputStream } from '../../domain/job-output.ts';
import type { ExecutionRow } from '../../store/executions.ts';
import { type ApiContext, callerOf, renewLoaders } from '../context.ts';
import { findNode } from '../shared/node.resolver.ts';

/** Arguments of the subscription to what a job writes. */
export interface TailArguments {
  readonly id: string;
  readonly stream: OutputStream;
  readonly offset: number;
}

/** The source of the subscription to what a job of the caller's tenant writes. @throws CallerError NOT_FOUND, BUSY */
export async function followOutput({
  args: { id, stream, offset },
  context,
}: SubscribeResolverData<unknown, TailArguments, ApiContext>): Promise<AsyncIterable<OutputOfJob>> {
  const { tenantId } = callerOf(context);
  const node = await findNode(context, id, 'Job');
  if (!node) throw notFound('job', 'id');
  const { databaseId } = node;
  const follower = { name: tenantId, most: context.commands.limits.maxSubscriptions };
  const changes = context.changes.follow(
    (event) => event.type === 'EXECUTION' && event.tenantId === tenantId && event.id === databaseId,
    [databaseId],
    follower,
  );
  return new OutputTail(context, changes, { id: databaseId, stream, offset });
}

/**
 * What a job writes, piece by piece, until it is over and all of it was told. The site is asked every second while the
 * job runs, together for everybody who follows it. An iterator of its own: a generator could not be left while it
 * waits.
 */
class OutputTail implements AsyncIterableIterator<OutputOfJob> {
  private job: ExecutionRow | null = null;
  private isOver = false;
  private faults = 0;
  private readonly left = new AbortController();
  private offset: number;
  private change = new AbortController();

  constructor(
    private readonly context: ApiContext,
    private readonly changes: AsyncIterableIterator<string>,
    private readonly wanted: TailArguments,
  ) {
    this.offset = wanted.offset;
    void this.listen();
  }

  async next(): Promise<IteratorResult<OutputOfJob>> {
    while (!this.isOver && !this.left.signal.aborted) {
      const piece = await this.look();
      if (this.left.signal.aborted) break;
      if (piece && (piece.bytes.length > 0 || piece.isComplete)) {
        this.offset = piece.nextOffset;
        this.isOver = piece.isComplete;
        return { done: false, value: piece };
      }
      await this.pause();
    }
    return this.return();
  }

  async return(): Promise<IteratorResult<OutputOfJob>> {
    this.left.abort();
    await this.changes.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** From the next look on the job is read anew. */
  private async listen(): Promise<void> {
    for await (const _ of this.changes) {
      this.job = null;
      this.change.abort();
    }
  }

  /** The next piece; null while the site cannot be asked, for a minute at most. */
  private async look(): Promise<OutputOfJob | null> {
    if (this.job === null) {
      renewLoaders(this.context);
      this.change = new AbortController();
      this.job = await this.context.loaders.execution.load(this.wanted.id);
      invariant(this.job, `job ${this.wanted.id} is followed and is gone`);
    }
    try {
      const query = { stream: this.wanted.stream, offset: this.offset, limit: MAX_OUTPUT_BYTES };
      const piece = await readOutput({ ...this.context.commands, signal: this.left.signal }, this.job, query);
      this.faults = 0;
      return piece;
    } catch (error) {
      if (this.left.signal.aborted) return null;
      const mayPass = error instanceof CallerError && error.code === 'SITE_FAULT' && ++this.faults < MOST_FAULTS;
      if (!mayPass) throw error;
      return null;
    }
  }

  /** Until it is worth looking again, or the job has changed. */
  private async pause(): Promise<void> {
    const runs = this.job?.state === 'RUNNING' || this.job?.state === 'ENDED';
    const signal = AbortSignal.any([this.left.signal, this.change.signal]);
    await sleep(runs ? LOOK_MILLISECONDS : WAITING_MILLISECONDS, undefined, { signal }).catch(() => undefined);
  }
}

const LOOK_MILLISECONDS = 1000;
/** While it has not begun, as far as is known. */
const WAITING_MILLISECONDS = 2000;
const MOST_FAULTS = 30;
