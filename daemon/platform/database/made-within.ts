/** Rows by the time at which they were made. */
import type { MadeQuery } from '../../../src/contract/common.js';

export const madeWithin = ({ since, until }: MadeQuery): { createdAt?: { gte?: Date; lt?: Date } } =>
  since === undefined && until === undefined
    ? {}
    : {
        createdAt: {
          ...(since === undefined ? {} : { gte: new Date(since) }),
          ...(until === undefined ? {} : { lt: new Date(until) }),
        },
      };
