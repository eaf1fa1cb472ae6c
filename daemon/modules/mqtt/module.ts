/** Part of the composition root: MQTT, with what it needs to know of keys, players and topics. */
import { DomainError } from '../../../src/contract/errors.js';
import { opens } from '../../../src/contract/scopes.js';
import type { Settings } from '../../platform/config/schema.js';
import type { LogFollower } from '../../platform/events/follower.js';
import type { Connections } from '../../platform/http/connections-OLD.js';
import type { HttpListener } from '../../platform/http/server.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Gameplay } from '../gameplay/module.js';
import type { ApiKeyService } from '../identity/api-keys/service.js';
import type { Access } from '../projects/access.js';
import type { ProjectStore } from '../projects/store.js';
import { Broker } from './broker.js';
import { MqttDelivery } from './delivery.js';
import { TcpListener, WebSocketListener } from './listeners.js';
import { Doorman } from './sessions.js';

interface MqttNeeds {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly follower: LogFollower;
  readonly listener: HttpListener;
  readonly gameplay: Gameplay;
  readonly apiKeys: ApiKeyService;
  readonly access: Access;
  readonly projects: ProjectStore;
  readonly connections: Connections;
}

export function composeMqtt(needs: MqttNeeds) {
  const { settings, logger, follower, listener, gameplay, apiKeys, access, projects, connections } = needs;
  const { EARSHOT_HOST: host, EARSHOT_MQTT_PORT: port, EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: key } = settings;
  const operators = {
    mayFollow: async (projectId: string, apiKey: string) => {
      const caller = await apiKeys.verify(apiKey);
      return caller !== null && opens(caller.scopes, 'events:read') && (await access.grant(caller, projectId)) !== null;
    },
  };
  const isOpen = async (projectId: string) => (await projects.tenantOf(projectId)) !== null;
  const players = {
    verify: async (token: string) => {
      const player = await gameplay.tokens.verify(token);
      if (!(await isOpen(player.projectId))) throw new DomainError('player_token_invalid');
      return player;
    },
  };
  const topics = {
    find: async (name: string) => {
      const subject = await gameplay.topics.find(name);
      return subject !== null && (await isOpen(subject.projectId)) ? subject : null;
    },
    inReach: (projectIds: readonly string[]) => projects.inReach(projectIds),
  };
  const broker = new Broker(topics, new Doorman(operators, players), logger, connections.mqtt);
  const tls = cert === undefined || key === undefined ? null : { cert, key };
  const tcp =
    port === 0 ? null : new TcpListener(broker, connections.addresses, host, port, tls, 'EARSHOT_MQTT_PORT', logger);
  const webSockets = new WebSocketListener(broker, connections.addresses, listener.upgrades, connections.http);
  const delivery = new MqttDelivery(broker, webSockets, tcp, follower);
  /** Without TCP it is the WebSocket's. */
  const url = () => tcp?.url ?? `${listener.url.replace(/^http/, 'ws')}/mqtt`;
  return { delivery, url, connected: () => broker.connected };
}
