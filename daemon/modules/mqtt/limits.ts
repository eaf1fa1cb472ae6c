/** Limits of MQTT clients. Topics are read-only, so no client has reason to send much. */
import { limits } from '../../platform/limits/catalogue.js';
export const mqttLimits = {
  /** Time until CONNECT must be complete; then the connection is closed. */
  connectTimeoutMs: 5_000,
  /**
   * Longest keep-alive; used for clients that announce none or more. They are disconnected after one and a half times
   * this (MQTT 3.1.1, 3.1.2.10).
   */
  keepaliveSecondsMax: 1_800,
  handshakeTimeoutMs: 10_000,
  inboundPacketBytesMax: 16 * 1024,
  /** Limit of one connection, as `packetCost` counts: all its subscriptions at once, then little. */
  connectionPackets: limits.mqtt_packet_budget.max,
  addressPacketsPerSecond: 2_000,
  /** Burst of an address, in seconds of its regular limit: many clients come back together. */
  addressBurstSeconds: 10,
  /** Frames that a message over WebSocket may have. */
  webSocketFragmentsMax: 64,
  subscriptionsPerClientMax: 1_000,
  /** Subscriptions to names that do not exist, before the connection is closed. */
  refusalsPerClientMax: 20,
  /** Unread bytes per client; beyond, it is disconnected. */
  outboundBytesMax: 1024 * 1024,
  drainTimeoutMs: 30_000,
  /** How long an operator may stay connected after its key has lost the right. */
  credentialCheckMs: 500,
  topicLevelsMax: 20,
  /** Operators connected at once for one project. */
  operatorsPerProjectMax: limits.mqtt_operators.max,
  subscriptionsPerOperatorMax: 100,
} as const;
