import { Prisma } from '../generated/prisma/client.ts';

/** True when an error means that a unique value, such as a site's name, is taken already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}
