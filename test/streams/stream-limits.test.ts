import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SseHub } from '../../daemon/modules/streams/hub.js';
import { systemClock } from '../../daemon/platform/clock.js';
import { LogFollower } from '../../daemon/platform/events/follower.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import type { Member } from '../../daemon/platform/http/caller.js';
import { ClientAddresses } from '../../daemon/platform/http/client-addresses.js';
import { ConnectionPlaces } from '../../daemon/platform/http/connection-places.js';
import { StreamPlaces } from '../../daemon/platform/http/stream-places.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { DomainError } from '../../src/contract/errors.js';
import { openSqlite, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { openStream } from '../support/stream.js';

const limits = { perCredential: 2 };
const perDaemon = 3;
const callerOf = (credentialId: string): Member => ({
  ...{ kind: 'apiKey', id: credentialId, credentialId, tenantId: 't', projectId: null, scopes: [], expiresAt: null },
});

let opened: TestDatabase;
let hub: SseHub;
let server: http.Server;
beforeAll(async () => {
  opened = await openSqlite();
  const wakeUps = new LocalWakeUps();
  const log = new EventLog(opened.database, wakeUps, systemClock);
  await log.start();
  const logger = createLogger('silent');
  const all = new ConnectionPlaces('streams', { max: perDaemon, perNetworkMax: 0 }, logger);
  const places = new StreamPlaces(all, new ClientAddresses([]));
  const reach = async () => ({ tenantId: 't', projects: new Set<string>(), tenantBut: new Set<string>() });
  hub = new SseHub(log, new LogFollower(log, wakeUps, logger), { reach }, logger, places, limits);
  hub.start();
  server = http.createServer((request, response) => {
    const wish = { caller: callerOf(request.url ?? ''), projectId: null, types: undefined, resources: undefined };
    hub.open({ ...wish, begin: null }, response).catch((error: unknown) => {
      response.statusCode = error instanceof DomainError ? error.status : 500;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  hub.stop();
  server.closeAllConnections();
  server.close();
  await opened.close();
});
const open = (credential: string) =>
  openStream(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${credential}`, {});

describe('places for streams', () => {
  it('are so many for a credential (429) and for a daemon (503), also when they are asked for at once', async () => {
    const own = await Promise.all(['a', 'a', 'a', 'a'].map(open));
    expect(own.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
    const others = await Promise.all(['b', 'c'].map(open));
    expect(others.map(({ status }) => status).sort()).toEqual([200, 503]);
    for (const stream of [...own, ...others]) stream.close();
    await eventually(async () => {
      const again = await open('a');
      again.close();
      expect(again.status).toBe(200);
    });
  });

  it('take nobody once the daemon is stopping, which each stream is told', async () => {
    const stream = await eventually(async () => {
      const one = await open('d');
      expect(one.status).toBe(200);
      return one;
    });
    hub.stop();
    expect(await stream.next()).toMatchObject({ event: 'stream.closed', data: { reason: 'shutting_down' } });
    await stream.ended;
    expect((await open('e')).status).toBe(503);
  });
});
