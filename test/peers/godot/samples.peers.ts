/** The samples of the Godot kit, each in both engines, against a whole daemon. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { challengeRoutes } from '../../../src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../../src/contract/gameplay/players.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { hasGodot3, hasGodot4, openEngine, type Sample } from './engines.js';

describe.each([
  { version: 3 as const, here: hasGodot3 },
  { version: 4 as const, here: hasGodot4 },
])('the samples in Godot $version', ({ version, here }) => {
  if (!here) return it.skip('needs godot3-server, or Chromium for Godot 4', () => {});

  let daemon: TestDaemon;
  const tokens = createServer(async (_, response) => {
    const params = { projectId: daemon.projectId, userId: 'player-42' };
    const { token } = await daemon.client.call(playerRoutes.createToken, { params });
    response.setHeader('Access-Control-Allow-Origin', '*').end(token);
  });
  beforeAll(async () => {
    daemon = await startDaemon({ settings: { EARSHOT_CORS_ORIGINS: '*' } });
    tokens.listen(0, '127.0.0.1');
    await once(tokens, 'listening');
    const params = { projectId: daemon.projectId };
    const body = { name: 'Three down', eventName: 'kill-enemy', goal: 3, reward: '50 coins' };
    await daemon.client.call(challengeRoutes.create, { params, body });
    await daemon.client.call(leaderboardRoutes.create, { params, body: { name: 'Kills', eventName: 'kill-enemy' } });
    const ban = { type: 'perm_ban', externalUserId: 'bob', reason: 'cheats' } as const;
    await daemon.client.call(sanctionRoutes.create, { params, body: ban });
  });
  afterAll(async () => {
    tokens.closeAllConnections();
    tokens.close();
    await daemon.stop();
  });

  const common = () => ({ 'http://127.0.0.1:8080': daemon.url, '"PROJECT"': `"${daemon.projectId}"` });

  async function run(sample: Sample, ending: string): Promise<string[]> {
    const engine = await openEngine(version, sample);
    const lines = () => engine.printed.join('\n').split('\n');
    try {
      await engine.start();
      await eventually(() => expect(lines()).toContain(ending), 50_000);
      return lines();
    } finally {
      await engine.dispose();
    }
  }

  it('progress: a player counts three, gets the reward and stands first', async () => {
    const { port } = tokens.address() as AddressInfo;
    const replace = { ...common(), 'http://127.0.0.1:3000/token': `http://127.0.0.1:${port}/token` };
    const lines = await run({ script: 'samples/progress/progress.gd', replace }, 'Done.');
    expect(lines).toEqual(
      expect.arrayContaining(['Three down: begun', 'Three down: 3 of 3', 'Reward: 50 coins', '1. player-42: 3']),
    );
  });

  it('dedicated_server: ann gets a seat, bob stays out', async () => {
    const replace = { ...common(), '"KEY"': `"${daemon.apiKey}"` };
    const lines = await run({ script: 'samples/dedicated_server/dedicated_server.gd', replace }, 'Ready.');
    expect(lines).toEqual(expect.arrayContaining(['ann: in', 'bob stays out: cheats']));
  });
});
