/** The limits of webhook delivery. */

/** Attempts on their way at once: in all, at one endpoint, and at one that has failed since its last success. */
export const concurrencyMax = 256;
export const perEndpointMax = 8;
export const perFailingEndpointMax = 1;
/** A claimed delivery belongs to the daemon for this long; an attempt takes a quarter of it at most. */
export const leaseMs = 60_000;
/** What became due without a wake-up (retries) is found after this long. */
export const pollMs = 1_000;
/** Deliveries on their way may arrive for this long when the daemon stops. */
export const stopGraceMs = 2_000;
/** Kept of an answer in the log. */
export const snippetBytes = 1_024;
/** Failing this long without a success disables a subscription. */
export const failingMs = 5 * 86_400_000;
