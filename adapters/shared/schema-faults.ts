import type { z } from 'zod';

/**
 * What is wrong with data that a schema refuses, a sentence a fault, each with its place.
 * @param whole what to call the data where the fault is in no field of it
 */
export function schemaFaults(error: z.ZodError | undefined, whole: string): string[] {
  return (error?.issues ?? []).map(({ path, message }) => {
    const words = message.endsWith('received undefined') ? 'is missing' : message;
    return `${path.join('.') || whole}: ${words}`;
  });
}
