/**
 * Offers on their way to the room process. Setting up a connection is the most expensive thing that it does, so only a
 * few are set up at a time: sound, and calls that take a right away, never wait behind many. Projects take turns.
 */

import { limits } from '../../../platform/limits/catalogue.js';
import { FairQueue } from '../../../platform/limits/fair-queue.js';
import { FairTurns } from '../../../platform/limits/fair-turns.js';

export const offerQueue = (): FairTurns =>
  new FairTurns('offer_queue', {
    concurrency: 8,
    perOwner: 4,
    queues: [new FairQueue('offer_queue', limits.offer_queue.max)],
    maxWaitMs: 5_000,
    refusal: {
      message: 'Too many people are joining rooms right now. Send the offer again after the seconds in Retry-After.',
      retryAfterSeconds: 2,
    },
    isElsewhere: true,
  });
