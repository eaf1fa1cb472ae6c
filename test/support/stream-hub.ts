/** The hub of event streams on a log and a server of its own: what it asks and shows can be seen without a daemon. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PartialMessages } from '../../daemon/modules/sessions/partial-messages.js';
import { SseHub } from '../../daemon/modules/streams/hub.js';
import type { Readership } from '../../daemon/modules/streams/permissions.js';
import { LogFollower } from '../../daemon/platform/events/follower.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import type { NewEvent } from '../../daemon/platform/events/logged.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { ClientAddresses } from '../../daemon/platform/http/client-addresses.js';
import { ConnectionPlaces } from '../../daemon/platform/http/connection-places.js';
import { StreamPlaces } from '../../daemon/platform/http/stream-places.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import { DomainError } from '../../src/contract/errors.js';
import { openSqlite } from './database.js';
import { openStream, type RawStream } from './stream.js';

export interface HubOptions {
  readonly reach: Readership['reach'];
  readonly perCredential?: number;
  readonly perDaemon?: number;
  /** The ids of a person that a stream asks for. */
  readonly idsOf?: (hub: TestHub, user: string) => Promise<string[]>;
  /** What people are saying; the streams of the hub ask for it. */
  readonly speech?: PartialMessages;
}

export interface TestHub {
  readonly hub: SseHub;
  readonly follower: LogFollower;
  /** A stream of one project of tenant `t`, or of all; the credential is an API key of the tenant. */
  open(
    credential: string,
    projectId?: string | null,
    headers?: Record<string, string>,
    user?: string,
  ): Promise<RawStream>;
  /** Stores events of projects of tenant `t`, in one transaction; returns their ids. */
  store(...projectIds: string[]): Promise<string[]>;
  append(...events: NewEvent[]): Promise<string[]>;
  stop(): Promise<void>;
}

const happened = (projectId: string): NewEvent => ({
  ...{ type: 'server.started', tenantId: 't', projectId, resourceId: 'server:1', action: 'occurred', data: {} },
});

export async function startHub({
  reach,
  perCredential = 1_000,
  perDaemon = 1_000,
  idsOf,
  speech,
}: HubOptions): Promise<TestHub> {
  const opened = await openSqlite();
  const wakeUps = new LocalWakeUps();
  const log = new EventLog(opened.database, wakeUps, systemClock);
  await log.start();
  const logger = createLogger('silent');
  const all = new ConnectionPlaces('streams', { max: perDaemon, perNetworkMax: 0 }, logger);
  const places = new StreamPlaces(all, new ClientAddresses([]));
  const follower = new LogFollower(log, wakeUps, logger);
  const people = { idsOf: async (_: string, user: string) => (await idsOf?.(testHub, user)) ?? [user] };
  const hub = new SseHub(log, follower, { reach }, logger, places, { perCredential }, people, speech);
  hub.start();
  const server = http.createServer((request, response) => {
    const [, id = '', projectId = '', user] = (request.url ?? '').split('/');
    const key = {
      kind: 'apiKey',
      id,
      name: 'game',
      credentialId: id,
      tenantId: 't',
      projectId: null,
      scopes: [],
      expiresAt: null,
    };
    const lastEventId = request.headers['last-event-id'];
    const asked = {
      projectId: projectId || null,
      types: undefined,
      resources: undefined,
      user,
      partials: speech !== undefined,
    };
    const begin = typeof lastEventId === 'string' ? { lastEventId } : null;
    hub
      .open({ caller: { ...key, kind: 'apiKey' }, ...asked, begin }, { response, head: response })
      .catch((error: unknown) => {
        response.statusCode = error instanceof DomainError ? error.status : 500;
        response.end();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const append = async (...some: NewEvent[]) => {
    const events = await opened.database.transaction((tx) => log.append(tx, ...some));
    return events.map(({ id }) => id);
  };
  const testHub: TestHub = {
    hub,
    follower,
    open: (credential, projectId = null, headers = {}, user) =>
      openStream(
        `http://127.0.0.1:${(server.address() as AddressInfo).port}/${credential}/${projectId ?? ''}${user === undefined ? '' : `/${user}`}`,
        headers,
      ),
    append,
    store: (...projectIds) => append(...projectIds.map(happened)),
    async stop() {
      hub.stop();
      await follower.stop();
      server.closeAllConnections();
      server.close();
      await opened.close();
    },
  };
  return testHub;
}
