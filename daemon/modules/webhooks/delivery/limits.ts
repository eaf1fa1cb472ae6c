/** The limits of webhook delivery. */

import { limits } from '../../../platform/limits/catalogue.js';
import { dayMs } from '../../../platform/time/spans.js';

/** Attempts in progress: in all, per tenant, and per endpoint. */
export const { together: concurrencyMax, tenant: perTenantMax, endpoint: perEndpointMax } = limits.webhook_attempts.max;
/** The part of them for endpoints that fail, hang, or have not answered since the daemon started. */
export const unprovenMax = 128;
export const perTenantUnprovenMax = 32;
export const perUnprovenEndpointMax = 1;
/** An endpoint counts as hanging while an attempt has run for this long. */
export const slowMs = 2_000;
/** How many endpoints known to answer are remembered; the oldest is dropped first and has to answer again. */
export const provenMax = 10_000;
/** Length of a lease; an attempt takes a quarter of it at most. */
export const leaseMs = 60_000;
/** Deliveries that become due without a wake-up (retries) are found within this time. */
export const pollMs = 1_000;
/** How long attempts in progress may finish when the daemon stops. */
export const stopGraceMs = 2_000;
/** The part of an answer kept in the log, and how long to wait for it after the status line. */
export const snippetBytes = 1_024;
export const snippetMs = 1_000;
/** Length of an error kept in the log. */
export const errorCharactersMax = 500;
/** Failing this long without a success disables a subscription. */
export const failingMs = 5 * dayMs;
