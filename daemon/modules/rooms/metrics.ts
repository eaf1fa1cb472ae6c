/** Metrics of rooms for Prometheus. */
import { isPerson } from '../../../src/contract/rooms/room-events.js';
import type { ScrapedMetric } from '../../platform/observability/metrics.js';
import type { RoomCarrier } from './carrier.js';

export function roomMetrics({ engine, streams }: Pick<RoomCarrier, 'engine' | 'streams'>): readonly ScrapedMetric[] {
  const people = () => engine.rooms().flatMap(({ peers }) => peers.filter(isPerson));
  return [
    { name: 'rooms', help: 'Rooms that somebody is in', read: () => engine.rooms().length },
    {
      name: 'room_people',
      help: 'People in rooms, without bots and observers',
      label: 'publishing',
      read: () => {
        const all = people();
        const publishing = all.filter((one) => one.publishing).length;
        return { true: publishing, false: all.length - publishing };
      },
    },
    {
      name: 'room_packets',
      help: 'Packets since the room process started',
      type: 'counter',
      label: 'fate',
      read: async () => {
        const { packetsIn, packetsForwarded, packetsDropped } = await engine.stats();
        return { in: packetsIn, forwarded: packetsForwarded, ...packetsDropped };
      },
    },
    {
      name: 'room_process_restarts',
      help: 'Restarts of the room process',
      type: 'counter',
      read: () => engine.restarts,
    },
    {
      name: 'room_peers_over_share',
      help: 'Offers refused since the start because their tenant had reached its limit of peers in rooms',
      type: 'counter',
      read: () => engine.overShare,
    },
    { name: 'room_streams', help: 'Event streams of people in rooms', read: () => streams.size },
  ];
}
