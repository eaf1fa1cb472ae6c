/**
 * Statements of an event that comes alone. Each is a round trip on PostgreSQL, so one more is felt by every game; whoever
 * adds one here says why.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { statementsOf } from '../support/statements.js';

/** Others are begun in between by what looks for work every second. */
const tries = 6;
/** What was read of credentials and projects is kept for a second. */
const forgottenMs = 1_100;
/** Time for what happens after the answer. */
const afterMs = 40;

describeDaemonsOnEachDatabase('a game event that comes alone', (start) => {
  let daemon: TestDaemon;
  let key: string;
  beforeAll(async () => {
    daemon = await start();
    const body = { name: 'game', scopes: ['gameplay' as const], projectId: daemon.projectId };
    key = (await daemon.admin.call(apiKeyRoutes.create, { body })).key;
  });
  afterAll(() => daemon.stop());

  const send = async (event_name: string): Promise<void> => {
    const answer = await fetch(`${daemon.url}/api/v1/events?auth=api_key`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({
        user_id: 'ann',
        event_name,
        event_type: 'single',
        session_id: 'm',
        meta_data: { amount: 1 },
      }),
    });
    expect(answer.status).toBe(200);
  };
  const fewest = async (event_name: string, pauseMs: number): Promise<string[]> => {
    await send(event_name);
    let found: string[] | null = null;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      await sleep(pauseMs);
      const texts = await statementsOf(async () => {
        await send(event_name);
        await sleep(afterMs);
      });
      if (found === null || texts.length < found.length) found = texts;
    }
    return (found ?? []).filter((text) => !text.startsWith('PRAGMA')); // SQLite's are no work of the database
  };

  it('takes a transaction of two statements where nothing is concerned', async () => {
    const texts = await fewest('fire-rate', 100);
    expect(texts, texts.join('\n')).toHaveLength(4);
  });

  it('looks up its key and its project once a second, in a statement each', async () => {
    const texts = await fewest('fire-rate', forgottenMs);
    expect(texts, texts.join('\n')).toHaveLength(6);
  });

  it('takes six more where it counts in a challenge and is announced, and looks for no delivery where there is no webhook', async () => {
    const params = { projectId: daemon.projectId };
    const body = { name: 'Shots', eventName: 'kill-enemy', goal: 1_000 };
    const { id } = await daemon.client.call(challengeRoutes.create, { params, body });
    const player = { ...params, userId: 'ann', id };
    await daemon.client.call(playerRoutes.unlock, { params: player });
    await daemon.client.call(playerRoutes.activate, { params: player });
    // PostgreSQL stores the event with its position, and tells the other daemons instead.
    const texts = await fewest('kill-enemy', 100);
    expect(texts, texts.join('\n')).toHaveLength(10);
  });
});
