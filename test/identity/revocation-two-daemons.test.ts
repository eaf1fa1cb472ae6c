/**
 * Two daemons on one PostgreSQL remember who may call for a moment. What one of them has acknowledged, the other
 * applies to the next request.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { withoutVoice } from '../support/two-daemons.js';

describe.runIf(hasPostgresql)('two daemons on one PostgreSQL', () => {
  let server: PostgresqlServer;
  let here: TestDaemon;
  let there: TestDaemon;
  beforeAll(async () => {
    server = await startPostgresql();
    const settings = { DATABASE_URL: server.url, EARSHOT_MASTER_KEY: 'ab'.repeat(32) };
    here = await startDaemon({ settings });
    there = await startDaemon({ settings: { ...settings, ...withoutVoice } });
  }, 60_000);
  afterAll(async () => {
    await there.stop();
    await here.stop();
    await server.stop();
  });

  const keyOf = async (projectId?: string) => {
    const scope = projectId === undefined ? {} : { projectId };
    return here.admin.call(apiKeyRoutes.create, { body: { name: 'game', scopes: ['gameplay'], ...scope } });
  };
  const over = (token: string) => new EarshotClient({ baseUrl: there.url, credential: { kind: 'bearer', token } });
  const event = { event_name: 'match-start', meta_data: {} };
  const sendAs = (token: string) => over(token).call(gameplayRoutes.sendEvent, { body: { ...event, user_id: 'u1' } });
  const sendAsPlayer = (token: string) =>
    over(token).call(gameplayRoutes.sendEvent, { query: { auth: 'access_token' }, body: event });
  const createProject = async (name: string) => (await here.admin.call(projectRoutes.create, { body: { name } })).id;

  it('refuse a key of the tenant from the moment on that its only project is no longer the only one', async () => {
    const { key } = await keyOf();
    await sendAs(key);
    const second = await createProject('second');
    await expect(sendAs(key)).rejects.toMatchObject({ status: 400, code: 'project_required' });
    await here.admin.call(projectRoutes.remove, { params: { projectId: second } });
    await sendAs(key);
  });

  it('refuse a key from the moment on that it is revoked', async () => {
    for (const projectId of [undefined, here.projectId]) {
      const { id, key } = await keyOf(projectId);
      await sendAs(key);
      await here.admin.call(apiKeyRoutes.revoke, { params: { id } });
      await expect(sendAs(key)).rejects.toMatchObject({ status: 401, code: 'credential_invalid' });
    }
  });

  it('refuse keys and player tokens from the moment on that their project is deleted', async () => {
    const projectId = await createProject('short-lived');
    const { key } = await keyOf(projectId);
    const params = { projectId, userId: 'u1' };
    const { token } = await here.client.call(playerRoutes.createToken, { params });
    await Promise.all([sendAs(key), sendAsPlayer(token)]);
    await here.admin.call(projectRoutes.remove, { params: { projectId } });
    await expect(sendAs(key)).rejects.toSatisfy(({ status }) => status === 401 || status === 404);
    await expect(sendAsPlayer(token)).rejects.toMatchObject({ status: 403, code: 'player_token_invalid' });
  });
});
