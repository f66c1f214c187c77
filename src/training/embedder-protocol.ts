import type { EmbeddingModel } from './embedding-model.ts';

/** What the process that embeds is asked. */
export interface EmbeddingRequest {
  readonly model: EmbeddingModel;
  readonly texts: readonly string[];
}

/** Where the texts lie, null for those that have no place; or why nobody can tell. */
export type EmbedderAnswer =
  | { readonly kind: 'embedded'; readonly embeddings: readonly (Float32Array | null)[] }
  | { readonly kind: 'unusable'; readonly reason: string };
