/** Limits of event streams. */
import { limits } from '../../platform/limits/catalogue.js';
export interface StreamLimits {
  readonly perCredential: number;
}

export const streamLimits: StreamLimits = { perCredential: limits.credential_streams.max };

/** How often streams are checked for slow readers and lost access: a revoked credential ends its streams within a second. */
export const checkMs = 500;
/** Retry-After of a refused stream. */
export const retryAfterSeconds = 10;
/** The first event leaves at once; those that come within this time after its write leave in one write. */
export const flushIntervalMs = 5;
/** The same where writing to all streams takes long. */
export const flushIntervalMaxMs = 50;
/** Largest number of collected events; when it is reached they leave at once. */
export const pendingMax = 1_000;
