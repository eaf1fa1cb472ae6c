/** npm's registry, which a machine that develops may have to do without. */
const away = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;

/** True if npm failed because the registry is not there; never so in CI, which has to have it. */
export const isRegistryAway = (error: unknown): boolean => process.env.CI === undefined && away.test(String(error));
