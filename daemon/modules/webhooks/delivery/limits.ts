/** The limits of webhook delivery. */

/** Attempts on their way at once: in all, of one tenant, and to one endpoint. */
export const concurrencyMax = 256;
export const perTenantMax = 64;
export const perEndpointMax = 8;
/** The part of them for endpoints that fail, hang, or have not answered since the daemon started. */
export const unprovenMax = 128;
export const perTenantUnprovenMax = 32;
export const perUnprovenEndpointMax = 1;
/** An endpoint hangs while an attempt has been on its way for this long. */
export const slowMs = 2_000;
/** Endpoints that are known to answer; the longest known is forgotten first and has to answer once more. */
export const provenMax = 10_000;
/** A claimed delivery belongs to the daemon for this long; an attempt takes a quarter of it at most. */
export const leaseMs = 60_000;
/** What became due without a wake-up (retries) is found after this long. */
export const pollMs = 1_000;
/** Deliveries on their way may arrive for this long when the daemon stops. */
export const stopGraceMs = 2_000;
/** Kept of an answer in the log: so much of it as comes so soon after the status line. */
export const snippetBytes = 1_024;
export const snippetMs = 1_000;
/** Kept of what went wrong. */
export const errorCharactersMax = 500;
/** Failing this long without a success disables a subscription. */
export const failingMs = 5 * 86_400_000;
