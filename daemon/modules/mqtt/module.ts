/** MQTT: topics of players and of operators, over TCP and WebSocket. */

import { tlsFilesOf } from '../../platform/http/sockets.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import type { Identity } from '../identity/module.js';
import type { Players } from '../players/module.js';
import { MqttAuthenticator } from './authenticator.js';
import { Broker } from './broker.js';
import { MqttDelivery } from './delivery.js';
import { mqttLimits } from './limits.js';
import { TcpListener, WebSocketListener } from './listeners.js';
import { operatorsOf, playersOf, topicsOf } from './readers.js';

interface MqttNeeds {
  readonly identity: Identity;
  readonly players: Players;
}

export interface Mqtt extends Module {
  /** Returns the address of the broker; without TCP it is the WebSocket's. */
  url(): string;
}

export function mqttModule(platform: Platform, records: Records, { identity, players }: MqttNeeds): Mqtt {
  const { settings, follower, listener, connections, logger } = platform;
  const { EARSHOT_HOST: host, EARSHOT_MQTT_PORT: port } = settings;
  const limits = {
    ...mqttLimits,
    get addressPacketsPerSecond() {
      return settings.EARSHOT_RATE_LIMIT_MQTT_ADDRESS;
    },
  };
  const authenticator = new MqttAuthenticator(
    operatorsOf(identity.apiKeys, records.projects.access),
    playersOf(players.tokens, records.projects.store),
  );
  const broker = new Broker(
    topicsOf(records.players.topics, records.projects.store),
    authenticator,
    logger,
    connections.mqtt,
    limits,
  );
  const tls = tlsFilesOf(settings);
  const { addresses } = connections;
  const tcp =
    port === 0
      ? null
      : new TcpListener({ broker, addresses, host, wantedPort: port, tls, setting: 'EARSHOT_MQTT_PORT', log: logger });
  const webSockets = new WebSocketListener(broker, addresses, listener.upgrades, connections.http);
  return {
    name: 'mqtt',
    url: () => tcp?.url ?? `${listener.url.replace(/^http/, 'ws')}/mqtt`,
    parts: [
      modulePart('mqtt', new MqttDelivery(broker, webSockets, tcp, follower), {
        role: 'broker',
        stage: 'connections',
      }),
    ],
    metrics: [
      { name: 'mqtt_connections', help: 'Clients that are connected by MQTT', read: () => broker.connected },
      {
        name: 'mqtt_over_budget',
        help: 'MQTT connections closed since the start: they, or their address, sent too many packets or bytes',
        read: () => broker.overBudget,
      },
    ],
  };
}
