/** How many connections of each kind the daemon takes, and who holds them. */
import { capacityOf, openFilesMax } from '../capacity.js';
import type { Settings } from '../config/schema.js';
import { limits } from '../limits/catalogue.js';
import type { Logger } from '../observability/logger.js';
import type { ScrapedMetric } from '../observability/metrics.js';
import { ClientAddresses } from './client-addresses.js';
import { ConnectionPlaces } from './connection-places.js';
import { HttpConnections } from './connections.js';
import { StreamPlaces } from './stream-places.js';
import { UnnamedProxies } from './unnamed-proxies.js';

/** Beside all others: a health check takes one for the moment that it lasts. */

export function connectionLimits(settings: Settings, logger: Logger) {
  const { EARSHOT_TRUSTED_PROXIES: proxies = [] } = settings;
  const openFiles = openFilesMax();
  const capacity = capacityOf(openFiles, {
    get perNetworkMax() {
      return settings.EARSHOT_CONNECTIONS_ADDRESS;
    },
    get perTenantMax() {
      return settings.EARSHOT_CONNECTIONS_TENANT;
    },
    get perPersonMax() {
      return settings.EARSHOT_CONNECTIONS_PLAYER;
    },
  });
  logger.debug({ openFiles, ...capacity }, 'places for connections');
  const http = new ConnectionPlaces('http', capacity.http, logger);
  const streams = new ConnectionPlaces('streams', capacity.streams, logger);
  const mqtt = new ConnectionPlaces('mqtt', capacity.mqtt, logger);
  const anonymousMqtt = new ConnectionPlaces('anonymous mqtt', capacity.anonymousMqtt, logger);
  const metrics: readonly ScrapedMetric[] = [
    {
      name: 'http_connections',
      help: 'Open HTTP connections, including streams',
      read: () => http.taken,
    },
    {
      name: 'connections_refused',
      help: 'Connections refused, or closed in favour of others, since the start because no slot was free',
      label: 'kind',
      read: () => ({
        http: http.refused,
        streams: streams.refused,
        mqtt: mqtt.refused,
        anonymous_mqtt: anonymousMqtt.refused,
      }),
    },
    {
      name: 'connections_over_share',
      help: 'Refused since the start because the tenant or the player had reached the limit',
      label: 'kind',
      read: () => ({ streams: streams.overShare, mqtt: mqtt.overShare, anonymous_mqtt: anonymousMqtt.overShare }),
    },
  ];
  const unnamedProxies = new UnnamedProxies(logger);
  const addresses = new ClientAddresses(proxies, (request) => unnamedProxies.notice(request));
  return {
    metrics,
    addresses,
    unnamedProxies,
    http: new HttpConnections(http, new ConnectionPlaces('health', limits.health_connections.max, logger), addresses),
    streams: new StreamPlaces(streams, addresses),
    mqtt: { all: mqtt, anonymous: anonymousMqtt },
  };
}
export type ConnectionLimits = ReturnType<typeof connectionLimits>;
