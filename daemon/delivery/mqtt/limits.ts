/** What a client may ask of the broker. Topics are read only, so nobody has reason to send much. */
export const connectionsMax = 20_000;
export const connectTimeoutMs = 10_000;
export const handshakeTimeoutMs = 10_000;
export const inboundPacketBytesMax = 16 * 1024;
export const subscriptionsPerClientMax = 1_000;
/** Subscriptions to names that do not exist, before the connection is closed. */
export const refusalsPerClientMax = 20;
/** Bytes waiting for a client that does not read; beyond, it is cut off. */
export const outboundBytesMax = 1024 * 1024;
export const drainTimeoutMs = 30_000;
/** How long an operator stays connected after its key has lost the right to be. */
export const credentialCheckMs = 500;
export const topicLevelsMax = 20;
/** Operators connected at once for one project. */
export const operatorsPerProjectMax = 1_000;
export const subscriptionsPerOperatorMax = 100;
