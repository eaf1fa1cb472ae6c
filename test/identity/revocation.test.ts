import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

describe('what was just used', () => {
  it('is refused from the moment on that the key is revoked', async () => {
    const client = await daemon.clientWith(['gameplay']);
    const list = () => client.call(challengeRoutes.list, { params: { projectId: daemon.projectId } });
    await list();
    const keys = await daemon.admin.call(apiKeyRoutes.list, {});
    const newest = keys[0];
    await daemon.admin.call(apiKeyRoutes.revoke, { params: { id: newest?.id ?? '' } });
    await expect(list()).rejects.toMatchObject({ status: 401 });
  });

  it('is out of reach from the moment on that the project is deleted', async () => {
    const { id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: 'short-lived' } });
    const list = () => daemon.client.call(challengeRoutes.list, { params: { projectId } });
    const { token } = await daemon.client.call(playerRoutes.createToken, { params: { projectId, userId: 'u1' } });
    const player = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const topic = () => player.call(gameplayRoutes.challengesTopic, {});
    await Promise.all([list(), topic()]);
    await daemon.admin.call(projectRoutes.remove, { params: { projectId } });
    await expect(list()).rejects.toMatchObject({ status: 403, code: 'no_access_to_project' });
    await expect(topic()).rejects.toMatchObject({ status: 403, code: 'player_token_invalid' });
  });
});
