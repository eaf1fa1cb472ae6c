/** Rate limits of game events per project, by the settings of the daemon. */
import { afterEach, expect, it } from 'vitest';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';

let daemon: TestDaemon;
afterEach(() => daemon.stop());

const event = { user_id: 'u1', event_name: 'match-start' };
const send = (path: string, body: object) =>
  fetch(daemon.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': daemon.apiKey, 'X-Project-Id': daemon.projectId },
    body: JSON.stringify(body),
  });
const one = () => send(gameplayRoutes.sendEvent.path, event);
const batch = (count: number) => send(gameplayRoutes.sendEvents.path, { events: Array(count).fill(event) });

const startWith = async (requests: number, events: number) => {
  const limits = { EARSHOT_RATE_LIMIT_GAME_REQUESTS: requests, EARSHOT_RATE_LIMIT_GAME_EVENTS: events };
  const settings = Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, String(value)]));
  daemon = await startDaemon({ settings });
};

it('refuses requests beyond those of a second, and says when to come again', async () => {
  await startWith(2, 0);
  // Ten at once last into the next second at most.
  const answers = await Promise.all(Array.from({ length: 10 }, one));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(6);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(2);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  expect(await refused[0]?.json()).toMatchObject({ statusCode: 429, code: 'rate_limited' });
});

it('refuses events beyond those of a second, also in one batch', async () => {
  await startWith(0, 3);
  expect((await batch(4)).status).toBe(429);
  expect((await batch(3)).status).toBe(200);
});

it('holds for its second, wherever the clock is set meanwhile', async () => {
  let now = new Date('2026-03-01T10:00:00.000Z');
  daemon = await startDaemon({ now: () => now, settings: { EARSHOT_RATE_LIMIT_GAME_EVENTS: '2' } });
  expect((await batch(2)).status).toBe(200);
  now = new Date('2026-03-01T09:00:00.000Z');
  await eventually(async () => expect((await one()).status).toBe(200));
});
