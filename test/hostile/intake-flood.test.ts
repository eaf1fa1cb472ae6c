/** One project sends more game events than can be stored; the events of another are stored in turn. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { EventBatchAnswer } from '../../src/contract/gameplay/gameplay.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { scale } from '../support/scale.js';

const batches = scale(36, 360);
const atOnce = 36;
const eventsPerBatch = 1_000;

const daemon = new DaemonProcess({ EARSHOT_RATE_LIMIT_CREDENTIAL: '0' }, rentedMachine);
let url: string;
const keys: string[] = [];
beforeAll(async () => {
  url = (await daemon.start()).http;
  const { accessToken } = await new EarshotClient({ baseUrl: url }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  const admin = new EarshotClient({ baseUrl: url, credential: { kind: 'bearer', token: accessToken } });
  for (const name of ['flooding', 'other']) {
    const { id: projectId } = await admin.call(projectRoutes.create, { body: { name } });
    keys.push((await admin.call(apiKeyRoutes.create, { body: { name, scopes: ['gameplay'], projectId } })).key);
  }
});
afterAll(() => daemon.dispose());

const kill = (user: string) => ({
  user_id: user,
  event_name: 'kill-enemy',
  event_type: 'single',
  session_id: 's1',
  meta_data: { amount: 1 },
});
const post = async (path: string, key: string | undefined, body: object) => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key ?? '' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  return { status: response.status, answer };
};

it('stores the events of one project while another floods the intake', { timeout: 240_000 }, async () => {
  const [flooding, other] = keys;
  const floodTold = new Map<number, number>();
  const waitsMs: number[] = [];
  const flood = async () => {
    const events = Array.from({ length: eventsPerBatch }, (_, n) => kill(`u${n}`));
    const { status, answer } = await post('/api/v1/events/batch', flooding, { events });
    const results = status === 200 ? EventBatchAnswer.parse(answer).results : [{ status }];
    for (const one of results) floodTold.set(one.status, (floodTold.get(one.status) ?? 0) + 1);
  };
  await watchingHealth(daemon, `${batches} batches of ${eventsPerBatch} game events, ${atOnce} at once`, async () => {
    for (let begun = 0; begun < batches; begun += atOnce) {
      let flooded = false;
      const running = Promise.all(Array.from({ length: atOnce }, flood)).finally(() => {
        flooded = true;
      });
      while (!flooded) {
        const began = performance.now();
        const { status, answer } = await post('/api/v1/events', other, kill('quiet'));
        waitsMs.push(performance.now() - began);
        expect({ status, answer }).toEqual({ status: 200, answer: { status: 200, message: 'OK' } });
      }
      await running;
    }
  });
  waitsMs.sort((one, another) => one - another);
  console.info(
    `the other project stored ${waitsMs.length} events, median ${waitsMs[waitsMs.length >> 1]?.toFixed(0)} ms; of the flood ` +
      [...floodTold].map(([status, count]) => `${count} were answered ${status}`).join(', '),
  );
  expect(floodTold.get(200)).toBeGreaterThan(0);
  expect([...floodTold.keys()].filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
  expect((floodTold.get(503) ?? 0) + (floodTold.get(429) ?? 0)).toBeGreaterThan(0);
});
