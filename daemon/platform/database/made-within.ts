/** Rows by the time at which they were made. */
import type { MadeQuery } from '../../../src/contract/common.js';

/** Returns Prisma's filter for a column of a time; undefined: any time. */
export const within = ({ since, until }: MadeQuery): { gte?: Date; lt?: Date } | undefined =>
  since === undefined && until === undefined
    ? undefined
    : {
        ...(since === undefined ? {} : { gte: new Date(since) }),
        ...(until === undefined ? {} : { lt: new Date(until) }),
      };

export const madeWithin = (made: MadeQuery): { createdAt?: { gte?: Date; lt?: Date } } => {
  const createdAt = within(made);
  return createdAt === undefined ? {} : { createdAt };
};
