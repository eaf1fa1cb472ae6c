/** Acknowledged is durable: a daemon killed under load has lost nothing that it said it had. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../daemon/database/database.js';
import { ApiClient } from '../../src/client/api-client.js';
import { accountRoutes } from '../../src/contract/accounts.js';
import { apiKeyRoutes } from '../../src/contract/api-keys.js';
import { challengeRoutes } from '../../src/contract/challenges.js';
import { playerRoutes } from '../../src/contract/players.js';
import { projectRoutes } from '../../src/contract/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { scale } from '../support/scale.js';

const senders = 32;
const rounds = scale(3, 20);
const eventsPerRound = 200;
/** Daemons are started one after the other, beside whatever else the machine does. */
const patienceMs = 180_000 + rounds * 30_000;

let daemon: DaemonProcess;
beforeEach(() => {
  daemon = new DaemonProcess();
});
afterEach(() => daemon.dispose());

describe('kill -9 under load', () => {
  it(
    'leaves every acknowledged event exactly once, in rows, counter and log',
    async () => {
      await daemon.start();
      const { accessToken } = await new ApiClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
        body: administrator,
      });
      const admin = () => new ApiClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
      const [project] = await admin().call(projectRoutes.list, {});
      const projectId = project?.id ?? '';
      const { key } = await admin().call(apiKeyRoutes.create, {
        body: { name: 'game', scopes: ['gameplay'], projectId },
      });
      const challenge = await admin().call(challengeRoutes.create, {
        params: { projectId },
        body: { name: 'Endless', eventName: 'kill-enemy', goal: 1_000_000, counting: 'total' },
      });
      const params = { projectId, userId: 'u1', id: challenge.id };
      await admin().call(playerRoutes.unlock, { params });
      await admin().call(playerRoutes.activate, { params });

      const acknowledged = new Set<string>();
      let sent = 0;
      const send = async () => {
        for (;;) {
          sent += 1;
          const idempotencyKey = `event-${sent}`;
          const answer = await fetch(`${daemon.url}/api/v1/events`, {
            method: 'POST',
            headers: {
              Authorization: `Bearer ${key}`,
              'Content-Type': 'application/json',
              'Idempotency-Key': idempotencyKey,
            },
            body: JSON.stringify({ user_id: 'u1', event_name: 'kill-enemy', meta_data: { amount: 1 } }),
          });
          if (answer.status === 200) acknowledged.add(idempotencyKey);
        }
      };
      for (let round = 1; round <= rounds; round += 1) {
        const load = Array.from({ length: senders }, () => send().catch(() => {}));
        const wanted = acknowledged.size + eventsPerRound;
        while (acknowledged.size < wanted) await new Promise((resolve) => setTimeout(resolve, 1 + (round % 5)));
        await daemon.end('SIGKILL');
        await Promise.all(load);
        await daemon.start();
      }

      const player = await admin().call(playerRoutes.get, { params: { projectId, userId: 'u1' } });
      await daemon.end('SIGKILL');
      const database = await Database.connect(`file:${join(daemon.dataDir, 'earshot.db')}`);
      const rows = await database.read.gameEvent.findMany();
      const announced = await database.read.domainEvent.findMany({
        where: { type: 'challenge.changed' },
        orderBy: { position: 'asc' },
      });
      await database.close();
      const stored = rows.map(({ idempotencyKey }) => idempotencyKey?.split(' ')[1]);
      expect(new Set(stored).size).toBe(stored.length);
      for (const id of acknowledged) expect(stored).toContain(id);
      expect(player.challenges).toMatchObject([{ counter: rows.length }]);
      const counters = announced.map(
        ({ payload }) => JSON.parse(payload).data.new_challenge.user_challenge_current_score,
      );
      expect(counters).toEqual([0, 0, ...Array.from({ length: rows.length }, (_, index) => index + 1)]);
    },
    patienceMs,
  );
});
