import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../../src/client/earshot-client.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { pluginInstanceRoutes } from '../../../src/contract/plugins/plugins.js';
import { projectRoutes } from '../../../src/contract/projects/projects.js';
import { eventTraceRoutes } from '../../../src/contract/streams/event-traces.js';
import { webhookRoutes } from '../../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { makeOtherProject } from '../../support/other-tenant.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';

let daemon: TestDaemon;
let receiver: Receiver;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  receiver = await startReceiver();
});
afterAll(async () => {
  await daemon.stop();
  await receiver.stop();
});

describe('GET /api/projects/{projectId}/events/{id}/trace', () => {
  it('tells which webhooks got an event, when and with what result', { timeout: 60_000 }, async () => {
    const params = { projectId: daemon.projectId };
    const subscribe = (url: string) =>
      daemon.client.call(webhookRoutes.create, {
        params,
        body: { url, secret: 'a long secret', events: ['participant.*'] },
      });
    const here = await subscribe(receiver.url);
    const nowhere = await subscribe('http://10.0.0.1/');
    await daemon.client.call(participantRoutes.create, { params, body: { externalUserId: 'u1' } });
    const [delivery] = await receiver.waitFor(1);
    const id = delivery?.headers['webhook-id'] ?? '';
    const trace = await eventually(async () => {
      const answer = await daemon.client.call(eventTraceRoutes.trace, { params: { ...params, id } });
      expect(answer.consumers.every(({ attempts }) => attempts === 1)).toBe(true);
      return answer;
    }, 30_000);
    expect(trace.event).toMatchObject({ id, type: 'participant.created' });
    expect(trace.consumers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'webhook', name: here.id, result: 'delivered', statusCode: 204, error: null }),
        expect.objectContaining({
          name: nowhere.id,
          result: 'pending',
          statusCode: null,
          error: expect.stringMatching(/^blocked_address/),
        }),
      ]),
    );
    const { id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: 'another' } });
    await expect(daemon.client.call(eventTraceRoutes.trace, { params: { projectId, id } })).rejects.toMatchObject({
      status: 404,
      code: 'event_not_found',
    });
  });

  it('names the subscribers of the project, and nobody else’s', async () => {
    const other = await makeOtherProject(daemon.databaseUrl, new Date());
    const theirs = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key: other.key } });
    const { id: siblingId } = await daemon.admin.call(projectRoutes.create, { body: { name: 'sibling' } });
    const install = (client: EarshotClient, projectId: string) =>
      client.call(pluginInstanceRoutes.create, { params: { projectId }, body: { pluginId: 'sentiment' } });
    const { id: ours } = await install(daemon.client, daemon.projectId);
    await install(daemon.client, siblingId);
    await install(theirs, other.projectId);
    const params = { projectId: daemon.projectId };
    const body = { url: receiver.url, secret: 'a long secret', events: ['participant.*'] };
    await daemon.client.call(webhookRoutes.create, { params, body });
    await daemon.client.call(participantRoutes.create, { params, body: { externalUserId: 'u2' } });
    const [delivery] = await receiver.waitFor(1);
    const id = delivery?.headers['webhook-id'] ?? '';
    const { consumers } = await daemon.client.call(eventTraceRoutes.trace, { params: { ...params, id } });
    const subscribers = consumers.filter(({ kind }) => kind === 'subscriber').map(({ name }) => name);
    expect(subscribers).toEqual([`plugin:${ours}`]);
  });
});
