/**
 * Seats of MQTT clients: each counts for its tenant and player as soon as these are known. Who brings a credential is
 * counted by it; a client without one is counted for each tenant that it listens to.
 */
import type { AuthenticateError } from 'aedes';
import type { ConnectionPlaces, ConnectionSlot } from '../../platform/http/connection-places.js';
import type { MqttSession } from './authenticator.js';
import type { PacketBudget } from './packet-budget.js';

/** Places for all connections; those without a credential also need one of a smaller number. */
export interface BrokerPlaces {
  readonly all: ConnectionPlaces;
  readonly anonymous: ConnectionPlaces;
}

/** A connection that the broker has taken. */
export interface AcceptedConnection {
  readonly place: ConnectionSlot;
  readonly budget: PacketBudget;
}

/** A connection that is served. */
export interface ServedConnection extends AcceptedConnection {
  readonly network: string | null;
  anonymous: ConnectionSlot | null;
}

/** Return codes of CONNACK, MQTT 3.1.1 (3.2.2.3). */
export const badClientId = 2;
export const unavailable = 3;
export const badCredential = 4;
export const notAuthorized = 5;
export const refusal = (returnCode: number, message: string): AuthenticateError =>
  Object.assign(new Error(message), { returnCode });

/**
 * Counts the connection for whoever it has authenticated as. Throws the refusal by which a client comes back later, because
 * 3.1.1 has no code for a quota.
 */
export function claimSeat(seat: ServedConnection, session: MqttSession, { anonymous }: BrokerPlaces): void {
  const player = session.kind === 'player' ? session.player : null;
  const tenantId = session.kind === 'player' ? session.player?.tenantId : session.tenantId;
  if (tenantId === undefined) {
    const place = anonymous.acquire(seat.network);
    if (typeof place === 'string') throw refusal(unavailable, 'too many connections without a credential');
    seat.anonymous = place;
    return;
  }
  const person = player === null ? null : { projectId: player.projectId, externalUserId: player.userId };
  const lacking = seat.place.claim({ tenantId, person });
  if (lacking !== null) throw refusal(unavailable, `too many connections of the ${lacking}`);
}

/** Counts a client without a credential for the tenant whose topic it asks for; false: the tenant has too many. */
export async function claimListener(
  { anonymous }: ServedConnection,
  projectId: string,
  tenantOf: (projectId: string) => Promise<string | null>,
): Promise<boolean> {
  const tenantId = anonymous === null ? null : await tenantOf(projectId);
  return tenantId === null || anonymous?.claim({ tenantId, person: null }) === null;
}
