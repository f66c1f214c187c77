import { setPriority } from 'node:os';
import type { EmbedderAnswer, EmbeddingRequest } from './embedder-protocol.ts';
import { type Embed, loadSentenceNetwork } from './sentence-network.ts';

/** The process that embeds: one request at a time, by one model, until whoever forked it is gone. */
const MOST_BYTES = 3e9;
/** Behind whoever serves. */
const NICENESS = 5;

setPriority(NICENESS);
let network: Promise<Embed> | null = null;
process.on('disconnect', () => process.exit(0));
process.on('message', (request) => {
  void answerTo(request as EmbeddingRequest).then((answer) => process.send?.(answer));
});

async function answerTo({ model, texts }: EmbeddingRequest): Promise<EmbedderAnswer> {
  network ??= loadSentenceNetwork(model);
  try {
    const embed = await network;
    const embeddings: (Float32Array | null)[] = [];
    for (const text of texts) embeddings.push(await embedded(embed, text));
    return { kind: 'embedded', embeddings };
  } catch (error) {
    return { kind: 'unusable', reason: (error as Error).message };
  }
}

/** What is wrong with a text is not told, for it might quote it. */
async function embedded(embed: Embed, text: string): Promise<Float32Array | null> {
  const bytes = process.memoryUsage.rss();
  if (bytes > MOST_BYTES) throw new RangeError(`it takes ${bytes} bytes of memory; at most ${MOST_BYTES} are allowed`);
  return embed(text).catch(() => null);
}
