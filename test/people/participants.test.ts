import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import {
  type CreateParticipantRequest,
  participantRoutes,
  type UpdateParticipantRequest,
} from '../../src/contract/people/participants.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { openStream, type RawFrame } from '../support/stream.js';

let daemon: TestDaemon;
let receiver: Receiver;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  receiver = await startReceiver();
  receiver.answer = 200; // with a body, which echoes what came
});
afterAll(async () => {
  await daemon.stop();
  await receiver.stop();
});

const params = () => ({ projectId: daemon.projectId });
const create = (externalUserId: string, fields: Partial<CreateParticipantRequest> = {}) =>
  daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId, ...fields } });
const search = async (text: string) => {
  const { participants, total } = await daemon.client.call(participantRoutes.list, {
    params: params(),
    query: { search: text },
  });
  expect(total).toBe(participants.length);
  return participants.map(({ externalUserId }) => externalUserId);
};
const stream = (query: string) =>
  openStream(`${daemon.url}/api/projects/${daemon.projectId}/events/stream${query}`, { 'X-API-Key': daemon.apiKey });

describe('POST /api/projects/{projectId}/participants', () => {
  it('creates one row, however many ask at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create('twenty', { displayName: `n${index}` })),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(new Set(answers.map(({ displayName }) => displayName)).size).toBe(1);
  });

  it('never overwrites, and answers 201 both times', async () => {
    const body = JSON.stringify({ externalUserId: 'kept', displayName: 'First', userData: { level: 3 } });
    const send = (text: string) =>
      fetch(`${daemon.url}/api/projects/${daemon.projectId}/participants`, {
        method: 'POST',
        headers: { 'X-API-Key': daemon.apiKey, 'Content-Type': 'application/json' },
        body: text,
      });
    const first = await send(body);
    const second = await send(body.replace('First', 'Second'));
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.json()).toEqual(await first.json());
  });
});

describe('PATCH …/participants/{id}', () => {
  it('leaves alone what is absent and clears what is null', async () => {
    const { id } = await create('patched', { displayName: 'Somebody', userData: { team: 'red' } });
    const update = (body: UpdateParticipantRequest) =>
      daemon.client.call(participantRoutes.update, { params: { ...params(), id }, body });
    expect(await update({ userData: null })).toMatchObject({ displayName: 'Somebody', userData: {} });
    expect(await update({ displayName: null })).toMatchObject({ displayName: 'patched', userData: {} });
  });
});

describe('GET …/participants?search=', () => {
  beforeAll(async () => {
    await create('p1', { displayName: 'Ünïcode ÉLÈVE' });
    await create('p2', { displayName: 'ΣΊΣΥΦΟΣ' });
    await create('p3', { displayName: '100% safe_name' });
    await create('p4', { displayName: '100 safe-name' });
    await create('straße-7', { displayName: 'Ленин' });
  });

  it.each([
    ['ÜNÏCODE élève', ['p1']],
    ['σίσυφ', ['p2']],
    ['ленИН', ['straße-7']],
    ['ΣΊΣ', ['p2']],
    ['STRAßE', ['straße-7']],
    ['STRASSE', ['straße-7']],
    ['0%', ['p3']],
    ['e_n', ['p3']],
    ['%', ['p3']],
    ["' OR 1=1", []],
  ])('finds by %j in any case, every character meaning itself', async (text, found) => {
    expect(await search(text)).toEqual(found);
  });
});

describe('DELETE …/participants/{id}', () => {
  it('forgets the person in rows, log and outbox', async () => {
    const gone = await create('forgotten', { displayName: 'Erika Musterfrau' });
    const left = await create('remembered', { displayName: 'Somebody Else' });
    const { id: sessionId } = await daemon.client.call(sessionRoutes.create, {
      params: params(),
      body: { title: 'Room', externalRoomId: 'erasure', autoStart: false },
    });
    const say = (externalUserId: string) =>
      daemon.client.call(sessionRoutes.say, {
        params: { ...params(), id: sessionId },
        body: { externalUserId, content: `words of ${externalUserId}` },
      });
    const { id: subscriptionId } = await daemon.client.call(webhookRoutes.create, {
      params: params(),
      body: { url: receiver.url, secret: 'a long enough secret', events: ['*'] },
    });
    await say('forgotten');
    await say('remembered');
    await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'warn', participantId: gone.id },
    });
    const deliveries = () => daemon.client.call(webhookEventRoutes.list, { params: params() });
    await eventually(async () => {
      const states = (await deliveries()).map(({ status }) => status);
      expect(states.length).toBeGreaterThan(2);
      expect(new Set(states)).toEqual(new Set(['delivered']));
    });

    await daemon.client.call(participantRoutes.remove, { params: { ...params(), id: gone.id } });

    await expect(
      daemon.client.call(participantRoutes.get, { params: { ...params(), id: gone.id } }),
    ).rejects.toMatchObject({ status: 404, code: 'participant_not_found' });
    expect(
      await daemon.client.call(sanctionRoutes.ofUser, { params: { ...params(), externalUserId: 'forgotten' } }),
    ).toEqual([]);
    const messages = await daemon.client.call(sessionRoutes.messages, { params: { ...params(), id: sessionId } });
    expect(messages.map(({ content }) => content)).toEqual(['words of remembered']);

    const told = JSON.stringify(await Promise.all((await deliveries()).map(detail)));
    expect(told).not.toMatch(/Erika Musterfrau|words of forgotten/);
    expect(told).toContain('words of remembered');

    const replayed = await stream('?since=earliest&types=participant.*,message.*,sanction.*,webhook.*');
    const frames: RawFrame[] = [];
    do frames.push(await replayed.next());
    while (!/participant.deleted/.test(JSON.stringify(frames.at(-1))));
    replayed.close();
    const text = JSON.stringify(frames);
    expect(text).not.toMatch(/Erika Musterfrau|words of forgotten|"forgotten"/);
    expect(text).toContain(left.displayName);
    expect(frames.find(({ data }) => isCreationOf(data, gone.id))?.data).toMatchObject({
      payload: { data: { id: gone.id, redacted: true } },
    });
    await daemon.client.call(webhookRoutes.remove, { params: { ...params(), id: subscriptionId } });
  });
});

const detail = ({ id }: { id: string }) => daemon.client.call(webhookEventRoutes.get, { params: { ...params(), id } });
const isCreationOf = (data: unknown, id: string) =>
  JSON.stringify(data).includes(`"resourceId":"participant:${id}"`) &&
  /participant\.created/.test(JSON.stringify(data));
