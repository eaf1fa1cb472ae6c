/** Part of the composition root: MQTT, with what it needs to know of keys, players and topics. */
import { opens } from '../../src/contract/scopes.js';
import type { Settings } from '../config/schema.js';
import { Broker } from '../delivery/mqtt/broker.js';
import { MqttDelivery } from '../delivery/mqtt/delivery.js';
import { TcpListener } from '../delivery/mqtt/listeners.js';
import { Doorman } from '../delivery/mqtt/sessions.js';
import type { LogFollower } from '../events/follower.js';
import type { ApiKeyService } from '../features/api-keys/service.js';
import type { Access } from '../features/projects/access.js';
import type { HttpListener } from '../http/server.js';
import type { Logger } from '../observability/logger.js';
import type { Gameplay } from './gameplay.js';

interface MqttNeeds {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly follower: LogFollower;
  readonly listener: HttpListener;
  readonly gameplay: Gameplay;
  readonly apiKeys: ApiKeyService;
  readonly access: Access;
}

export function composeMqtt({ settings, logger, follower, listener, gameplay, apiKeys, access }: MqttNeeds) {
  const { EARSHOT_HOST: host, EARSHOT_MQTT_PORT: port, EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: key } = settings;
  const operators = {
    mayFollow: async (projectId: string, apiKey: string) => {
      const caller = await apiKeys.verify(apiKey);
      return caller !== null && opens(caller.scopes, 'events:read') && (await access.grant(caller, projectId)) !== null;
    },
  };
  const broker = new Broker(gameplay.topics, new Doorman(operators, gameplay.tokens), logger);
  const tls = cert === undefined || key === undefined ? null : { cert, key };
  const tcp = port === 0 ? null : new TcpListener(broker, host, port, tls, 'EARSHOT_MQTT_PORT', logger);
  const delivery = new MqttDelivery(broker, listener.server, tcp, follower);
  /** Without TCP it is the WebSocket's. */
  const url = () => tcp?.url ?? `${listener.url.replace(/^http/, 'ws')}/mqtt`;
  return { delivery, url, connected: () => broker.connected };
}
