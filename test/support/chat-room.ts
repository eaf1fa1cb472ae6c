/** A room without a bot, into which a game server writes lines under rules. */
import { EarshotClient } from '../../src/client/earshot-client.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { signIn } from './room-client.js';

export async function openChat(baseUrl: string) {
  const { client: admin, projectId } = await signIn(baseUrl);
  const params = { projectId };
  const scopes = ['plugins' as const, 'sessions' as const, 'messages' as const];
  const { key } = await admin.call(apiKeyRoutes.create, { body: { name: 'chat', scopes, ...params } });
  const client = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });
  const body = { title: 'Chat', externalRoomId: 'chat', autoStart: false };
  return { client, params, sessionId: (await client.call(sessionRoutes.create, { params, body })).id };
}
