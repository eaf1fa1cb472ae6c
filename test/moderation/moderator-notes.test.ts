/** Notes that moderators write for each other reach moderators alone, whatever way they might take. */
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import type { ProjectRole } from '../../src/contract/route.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { eventTraceRoutes } from '../../src/contract/streams/event-traces.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { openStream } from '../support/stream.js';

const secret = 'seen by moderators alone';
const reviewSecret = 'decided among moderators';
const externalUserId = 'u1';

let daemon: TestDaemon;
let receiver: Receiver;
let participantId: string;
let sanctionId: string;
let reviewId: string;
const told: string[] = [];
const params = () => ({ projectId: daemon.projectId });

async function member(role: ProjectRole): Promise<EarshotClient> {
  const body = { email: `${role}@example.com`, role };
  const { invitationUrl } = await daemon.admin.call(projectUserRoutes.invite, { params: params(), body });
  const token = /#token=([\w-]+)/.exec(invitationUrl ?? '')?.[1] ?? '';
  const anonymous = new EarshotClient({ baseUrl: daemon.url });
  const accepted = await anonymous.call(accountRoutes.acceptInvitation, {
    body: { token, password: 'long enough for it' },
  });
  return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accepted.accessToken } });
}

beforeAll(async () => {
  receiver = await startReceiver();
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  const { client } = daemon;
  const body = { url: receiver.url, secret: 'a long secret', events: ['*'] };
  await client.call(webhookRoutes.create, { params: params(), body });
  const broker = await connectAsync(daemon.mqttUrl, { username: daemon.projectId, password: daemon.apiKey });
  broker.on('message', (_, message) => told.push(message.toString()));
  await broker.subscribeAsync(`projects/${daemon.projectId}/events/#`);
  ({ id: participantId } = await client.call(participantRoutes.create, { params: params(), body: { externalUserId } }));
  const create = (type: 'human_review' | 'warn') =>
    client.call(sanctionRoutes.create, { params: params(), body: { type, externalUserId, note: `${secret} 1` } });
  const made = await create('human_review');
  expect(made.note).toBe(`${secret} 1`);
  sanctionId = made.id;
  const item = { ...params(), id: sanctionId };
  const changed = await client.call(sanctionRoutes.update, { params: item, body: { note: `${secret} 2` } });
  expect(changed.note).toBe(`${secret} 2`);
  const { id: warned } = await create('warn');
  expect((await client.call(sanctionRoutes.revoke, { params: { ...params(), id: warned } })).note).toBe(`${secret} 1`);
  const { reviews } = await client.call(reviewRoutes.list, { params: params(), query: {} });
  reviewId = reviews[0]?.id ?? '';
  const ofReview = { params: { ...params(), id: reviewId } };
  await client.call(reviewRoutes.update, { ...ofReview, body: { status: 'claimed', note: `${reviewSecret} 1` } });
  await client.call(reviewRoutes.update, { ...ofReview, body: { note: `${reviewSecret} 2` } });
  await client.call(reviewRoutes.update, { ...ofReview, body: { status: 'decided', decision: 'upheld' } });
  // participant, 3 × sanction issued or changed, 1 × revoked, 1 × review opened, 3 × changed
  await receiver.waitFor(9);
  await broker.endAsync();
});
afterAll(async () => {
  await daemon.stop();
  await receiver.stop();
});

/** Every answer in which a sanction or a review stands, as far as the client may have it. */
async function answersTo(client: EarshotClient): Promise<string> {
  const of = { params: { ...params(), externalUserId } };
  const answers = await Promise.allSettled([
    client.call(sanctionRoutes.list, { params: params(), query: {} }),
    client.call(sanctionRoutes.get, { params: { ...params(), id: sanctionId } }),
    client.call(sanctionRoutes.ofUser, of),
    client.call(sanctionRoutes.ofParticipant, { params: { ...params(), participantId } }),
    client.call(sanctionRoutes.activeOfUser, { ...of, query: {} }),
    client.call(playerRoutes.get, { params: { ...params(), userId: externalUserId } }),
    client.call(reviewRoutes.list, { params: params(), query: {} }),
    client.call(reviewRoutes.get, { params: { ...params(), id: reviewId } }),
    client.call(participantRecordRoutes.history, { params: { ...params(), id: participantId }, query: {} }),
    client.call(webhookEventRoutes.list, { params: params(), query: {} }),
  ]);
  const texts = answers.map((answer) => JSON.stringify(answer.status === 'fulfilled' ? answer.value : null));
  expect(texts.filter((text) => text.includes(sanctionId)).length, 'answers that hold the sanction').toBeGreaterThan(0);
  return texts.join('\n');
}

describe('a note of moderators', () => {
  it.each([
    ['viewers', () => member('viewer')],
    ['keys that read sanctions', () => daemon.clientWith(['sanctions:read', 'gameplay:read', 'participants:read'])],
    ['keys of gameplay', () => daemon.clientWith(['gameplay'])],
    ['keys that read reviews', () => daemon.clientWith(['plugins:read', 'participants:read'])],
    ['keys that read deliveries', () => daemon.clientWith(['webhooks'])],
  ])('is not answered to %s', async (_, clientOf) => {
    const answers = await answersTo(await clientOf());
    expect(answers).not.toContain(secret);
    expect(answers).not.toContain(reviewSecret);
  });

  it.each([
    ['moderators', () => member('moderator'), secret, reviewSecret],
    ['keys with the scope sanctions', () => daemon.clientWith(['sanctions', 'plugins:read']), secret, null],
    ['keys with the scope plugins', () => daemon.clientWith(['sanctions:read', 'plugins']), null, reviewSecret],
  ])('is answered to %s', async (_, clientOf, onSanctions, onReviews) => {
    const answers = await answersTo(await clientOf());
    expect(answers.includes(secret)).toBe(onSanctions !== null);
    expect(answers.includes(reviewSecret)).toBe(onReviews !== null);
  });

  it('stands in no event: not on streams, in webhooks, on MQTT or in traces', async () => {
    const stream = await openStream(`${daemon.url}/api/projects/${daemon.projectId}/events/stream?since=earliest`, {
      'X-API-Key': daemon.apiKey,
    });
    const events: { id: string; type: string; payload: object }[] = [];
    while (events.filter(({ type }) => type === 'review.updated').length < 3)
      events.push((await stream.next()).data as (typeof events)[number]);
    stream.close();
    const traced = events.find(({ type }) => type === 'sanction.updated')?.id ?? '';
    const trace = await daemon.client.call(eventTraceRoutes.trace, { params: { ...params(), id: traced } });
    for (const text of [
      JSON.stringify(events),
      JSON.stringify(receiver.received),
      told.join(),
      JSON.stringify(trace),
    ]) {
      expect(text).toContain(sanctionId);
      expect(text).not.toContain(secret);
      expect(text).not.toContain(reviewSecret);
      expect(text).not.toContain('"note"');
    }
  });
});

describe('evidence of a sanction', () => {
  it("is refused where it is not the project's, and named", async () => {
    const { id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: 'another' } });
    const settings = { tokenProvider: 'embedded' as const };
    await daemon.admin.call(settingsRoutes.put, { params: { projectId }, body: settings });
    const say = async (into: string): Promise<string> => {
      const room = { title: 'Match', externalRoomId: 'arena', autoStart: false };
      const { id } = await daemon.client.call(sessionRoutes.create, { params: { projectId: into }, body: room });
      const body = { externalUserId, content: 'words' };
      return (await daemon.client.call(sessionRoutes.say, { params: { projectId: into, id }, body })).id;
    };
    const [own, foreign] = [await say(daemon.projectId), await say(projectId)];
    const issue = (into: string, evidence: { messageIds?: string[]; reviewId?: string }) =>
      daemon.client.call(sanctionRoutes.create, {
        params: { projectId: into },
        body: { type: 'warn', externalUserId, evidence },
      });
    await issue(daemon.projectId, { messageIds: [own], reviewId });
    await expect(issue(daemon.projectId, { messageIds: [own, foreign] })).rejects.toMatchObject({
      status: 400,
      code: 'validation_failed',
      details: [{ path: 'body.evidence.messageIds.1', message: expect.stringContaining(foreign) }],
    });
    await expect(issue(projectId, { messageIds: [foreign], reviewId })).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'body.evidence.reviewId', message: expect.stringContaining(reviewId) }],
    });
  });
});
