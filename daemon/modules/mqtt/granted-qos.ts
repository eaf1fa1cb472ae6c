/**
 * Makes the broker grant only what it delivers: messages go out at quality of service 0 or 1, and nothing is kept for
 * an absent client, so a client that asks for a persistent session gets 0. Aedes answers with the requested value and
 * has no hook for this, so the packet is changed where its parser hands it over.
 */
import type { Client, ConnectPacket, PingreqPacket, SubscribePacket } from 'aedes';
import { parserOf } from './parser-of.js';

export type Qos = 0 | 1;

export function grantWhatIsDelivered(client: Client): void {
  let best: Qos = 1;
  parserOf(client).prependListener('packet', (packet: ConnectPacket | SubscribePacket | PingreqPacket) => {
    if (packet.cmd === 'connect') best = packet.clean === false ? 0 : 1;
    if (packet.cmd !== 'subscribe') return;
    for (const subscription of packet.subscriptions) if (subscription.qos > best) subscription.qos = best;
  });
}
