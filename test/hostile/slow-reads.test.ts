/** Cost to others of a key that asks for the most expensive figures, exports, searches and documents without a pause. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { scale } from '../support/scale.js';
import { writeBeside } from '../support/write-beside.js';

const connections = 40;
const lastsMs = scale(2_000, 15_000);
/** Rules with counts on each of so many days, as many as figures reach back. */
const days = scale(100, 1_100);
const rules = 50;
/** Game events that an export has. */
const batches = scale(10, 200);
const eventsPerBatch = 200;
const dayMs = 86_400_000;

let daemon: DaemonProcess;
let key: string;
let project: string;
beforeAll(async () => {
  const limits = ['CREDENTIAL', 'ADDRESS', 'GAME_REQUESTS', 'GAME_EVENTS'].map((name) => [
    `EARSHOT_RATE_LIMIT_${name}`,
    '0',
  ]);
  daemon = new DaemonProcess(Object.fromEntries(limits), rentedMachine);
  await daemon.start();
  const anonymous = new EarshotClient({ baseUrl: daemon.url });
  const { accessToken: token } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
  const admin = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  const scopes = [
    'reports:read',
    'sanctions:read',
    'participants',
    'messages:read',
    'events:read',
    'gameplay',
  ] as const;
  ({ key } = await admin.call(apiKeyRoutes.create, { body: { name: 'figures', scopes: [...scopes] } }));
  const id = (await admin.call(projectRoutes.list, {}))[0]?.id ?? '';
  project = `/api/projects/${id}`;
  for (let day = 0; day < days; day += 1) {
    const values = Array.from({ length: rules }, (_, rule) => `(?, ?, 'imposed.rule', 'rule${rule}', 3)`);
    const date = new Date(Date.now() - day * dayMs).toISOString().slice(0, 10);
    const into = 'INSERT INTO "ModerationDay" ("projectId", "day", "what", "key", "count") VALUES';
    await writeBeside(daemon.databaseUrl, `${into} ${values.join()}`, ...values.flatMap(() => [id, date]));
  }
  const event = { event_name: 'heal-unit', event_type: 'single', meta_data: { amount: 1, unit_type: 'tank' } };
  const events = Array.from({ length: eventsPerBatch }, (_, index) => ({ ...event, user_id: `player-${index}` }));
  const sent = { 'X-API-Key': key, 'X-Project-Id': id, 'Content-Type': 'application/json' };
  for (let batch = 0; batch < batches; batch += 1) {
    const answer = await fetch(`${daemon.url}/api/v1/events/batch`, {
      method: 'POST',
      headers: sent,
      body: JSON.stringify({ events }),
    });
    expect(await answer.text()).not.toContain('"error_slug"');
    expect(answer.status).toBe(200);
  }
}, 240_000);
afterAll(() => daemon.dispose());

describe('reads that take long, without a pause', { timeout: 240_000 }, () => {
  const since = () => new Date(Date.now() - (days - 1) * dayMs).toISOString();
  const year = new Date().getUTCFullYear();
  it.each([
    { what: 'figures of moderation', path: () => `${project}/stats/moderation?since=${since()}` },
    { what: 'figures of transparency', path: () => `${project}/stats/transparency?year=${year}` },
    {
      what: 'statements',
      path: () => `${project}/stats/statements?since=${since()}&until=${new Date().toISOString()}`,
    },
    { what: 'searches for people', path: () => `${project}/participants?search=a` },
    { what: 'exports of game events', path: () => `${project}/game-events?limit=100000` },
    { what: 'the schema of events', path: () => '/api/events/schema' },
  ])('$what delay neither health checks nor the writes of others', async ({ what, path }) => {
    const statuses = new Set<number>();
    const texts = new Set<string>();
    const read = async (until: number) => {
      do {
        const answer = await fetch(daemon.url + path(), { headers: { 'X-API-Key': key } });
        statuses.add(answer.status);
        const text = await answer.text();
        if (answer.status === 200) texts.add(text.slice(0, 100));
      } while (performance.now() < until);
    };
    await watchingHealth(daemon, `${connections} readers of ${what}`, async () => {
      const until = performance.now() + lastsMs;
      await Promise.all(Array.from({ length: connections }, () => read(until)));
    });
    // Of large answers a tenant may have some under way, and those beyond are refused.
    expect([...statuses].filter((status) => status !== 429)).toEqual([200]);
    expect(texts.size).toBeGreaterThan(0);
  });
});
