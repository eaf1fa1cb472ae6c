/** What a client may ask of the broker. Topics are read only, so nobody has reason to send much. */
/** Until CONNECT has come whole; then the connection is cut. */
export const connectTimeoutMs = 5_000;
/** A client that announces none, or more, is held to this; it is cut after one and a half times the time (3.1.2.10). */
export const keepaliveSecondsMax = 1_800;
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
