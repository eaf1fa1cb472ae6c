/** Limits of MQTT clients. Topics are read-only, so no client has reason to send much. */
/** Time until CONNECT must be complete; then the connection is closed. */
export const connectTimeoutMs = 5_000;
/**
 * Longest keep-alive; used for clients that announce none or more. They are disconnected after one and a half times
 * this (3.1.2.10).
 */
export const keepaliveSecondsMax = 1_800;
export const handshakeTimeoutMs = 10_000;
export const inboundPacketBytesMax = 16 * 1024;
export const subscriptionsPerClientMax = 1_000;
/** Subscriptions to names that do not exist, before the connection is closed. */
export const refusalsPerClientMax = 20;
/** Unread bytes per client; beyond, it is disconnected. */
export const outboundBytesMax = 1024 * 1024;
export const drainTimeoutMs = 30_000;
/** How long an operator may stay connected after its key has lost the right. */
export const credentialCheckMs = 500;
export const topicLevelsMax = 20;
/** Operators connected at once for one project. */
export const operatorsPerProjectMax = 1_000;
export const subscriptionsPerOperatorMax = 100;
