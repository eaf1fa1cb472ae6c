/** The limits of running plugins. */
import { limits } from '../../../platform/limits/catalogue.js';

/** Runs in progress: in all, per tenant, and per instance. */
export const { together: runsMax, tenant: perTenantMax, instance: perInstanceMax } = limits.plugin_runs.max;
/** Runs that wait for one instance; further events wait in the log. */
export const queuedPerInstanceMax = 1_000;
/** How long an endpoint or a model may take to answer. */
export const answerMs = 60_000;
/** The longest run: a call that reaches its own limit still reports that. */
export const runMs = answerMs + 5_000;
/** Length of a lease; a run takes three quarters of it at most. */
export const leaseMs = 90_000;
/** Interval at which due runs are looked for without a wake-up. */
export const pollMs = 1_000;
/** How long runs in progress may finish when the daemon stops. */
export const stopGraceMs = 1_500;
/** Length of an error that is kept. */
export const errorCharactersMax = 500;
/** Delay before attempt 2, 3, … of a run that may succeed later; after the last one it has failed. */
export const retryAfterMs = [5_000, 30_000, 120_000, 600_000];
/** No run waits longer for its next attempt. */
export const longestWaitMs = Math.max(...retryAfterMs);
/** A run that ended its daemon this often is not tried again. */
export const attemptsMax = retryAfterMs.length + 1;
