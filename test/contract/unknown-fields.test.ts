/** Unknown fields of bodies: refused with the nearest name where something is imposed, granted or configured, else named. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { allRoutes, routes } from '../../src/contract/routes.js';
import { refusesUnknownFields } from '../../src/contract/unknown-fields.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const post = (path: string, body: unknown, method = 'POST') =>
  fetch(daemon.url + path.replace('{projectId}', daemon.projectId), {
    method,
    headers: { 'Content-Type': 'application/json', 'X-API-Key': daemon.apiKey, 'X-Project-Id': daemon.projectId },
    body: JSON.stringify(body),
  });

describe('an unknown field', () => {
  it.each([
    [
      'POST',
      '/api/projects/{projectId}/sanctions',
      { type: 'mute', externalUserId: 'u', durationSeconds: 60 },
      'duration',
    ],
    ['POST', '/api/projects/{projectId}/sanctions', { type: 'mute', external_user_id: 'u' }, 'externalUserId'],
    ['POST', '/api/projects/{projectId}/token', { roomId: 'r', userId: 'u', permissons: {} }, 'permissions'],
    [
      'POST',
      '/api/projects/{projectId}/webhooks/subscriptions',
      { url: 'https://example.com', event: ['*'] },
      'events',
    ],
    ['PATCH', '/api/projects/{projectId}/settings', { botUserID: 'x' }, 'botUserId'],
    ['PATCH', '/api/projects/{projectId}/settings/reports', { confirmPermanentBan: true }, 'confirmPermanentBans'],
    ['POST', '/api/projects/{projectId}/events/stream-tickets', { typs: ['sanction.created'] }, 'types'],
  ])('is refused with the nearest name: %s %s %j', async (method, path, body, near) => {
    const response = await post(path, body, method);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'validation_failed',
      details: expect.arrayContaining([
        { path: expect.stringMatching(/^body\./), message: `there is no such field. Did you mean ${near}?` },
      ]),
    });
  });

  it('moves nobody', async () => {
    await post('/api/projects/{projectId}/participants', { externalUserId: 'stays' });
    const asked = { externalUserId: 'gone', dryRun: true };
    const refused = await post('/api/projects/{projectId}/people/stays/move', asked);
    expect([refused.status, await refused.json()]).toMatchObject([400, { details: [{ path: 'body.dryRun' }] }]);
    expect((await post('/api/projects/{projectId}/people/gone', undefined, 'GET')).status).toBe(404);
  });

  it('of a query that has a nameless one is not taken for that', async () => {
    const refused = await post('/api/projects/{projectId}/events/stream?room=hall', undefined, 'GET');
    expect(await refused.json()).toMatchObject({
      details: [{ path: 'query.room', message: expect.stringMatching(/^there is no such field\. There are /) }],
    });
  });

  it('within a field is refused by its place', async () => {
    const body = { roomId: 'r', userId: 'u', permissions: { publsh: false } };
    const answer = await (await post('/api/projects/{projectId}/token', body)).json();
    expect(answer).toMatchObject({ details: [{ path: 'body.permissions.publsh' }] });
  });

  it('is ignored and named where nothing is imposed, and the library says so', async () => {
    const made = await post('/api/projects/{projectId}/participants', {
      externalUserId: 'u1',
      colour: 'red',
      tags: null,
    });
    expect([made.status, made.headers.get('X-Ignored-Fields')]).toEqual([201, 'colour']);
    const event = { event_name: 'earn-points', user_id: 'u1', metadata: { amount: 1, free: 2 }, eventType: 'single' };
    const counted = await post('/api/v1/events', event);
    expect([counted.status, counted.headers.get('X-Ignored-Fields')]).toEqual([200, 'eventType']);
    const known = await post('/api/projects/{projectId}/participants', { externalUserId: 'u2', userData: { any: 1 } });
    expect(known.headers.get('X-Ignored-Fields')).toBeNull();
    const said: string[] = [];
    const credential = { kind: 'apiKey', key: daemon.apiKey } as const;
    const client = new EarshotClient({ baseUrl: daemon.url, credential, debug: (message) => said.push(message) });
    const body = { externalUserId: 'u3', colour: 'red' };
    await client.call(routes.participants.create, { params: { projectId: daemon.projectId }, body });
    expect(said).toEqual(['createParticipant: the daemon ignores unknown fields of the body: colour']);
  });
});

/** What clients of the hosted services and of players send, and what changes nobody's rights. */
const ignoring = [
  ...['login', 'loginWithCode', 'loginCredentials', 'finishDeviceLogin', 'redeemConsoleCode', 'changePassword'],
  ...['readUserInvitation', 'acceptUserInvitation', 'generateAccessToken'],
  ...['createSession', 'createMessage', 'createParticipant', 'updateParticipant', 'createParticipantNote'],
  ...['createGathering', 'updateGathering', 'startGathering', 'joinGathering', 'acceptGatheringInvitation'],
  ...['addGatheringMember', 'updateGatheringMember', 'moveGatheringMember', 'sendGatheringInvitations'],
  ...['setUserInfo', 'setUserInfoForSdk', 'unlockBattlePass'],
  ...['sendEvent', 'sendEvents', 'sendPlayerEvent', 'importGameEvents', 'ingestEvent'],
  ...['createReport', 'reportAsPlayer', 'reportInRoom', 'blockPerson', 'blockAsPlayer', 'blockInRoom'],
  ...['appealMySanction', 'appealStatement', 'complainAsPlayer', 'complainWithCode'],
];

it('is refused by every operation that imposes, grants or configures', () => {
  const taking = allRoutes.filter(({ body, method }) => body !== undefined && method !== 'get');
  const found = taking.filter((route) => !refusesUnknownFields(route)).map(({ operationId }) => operationId);
  expect(found.toSorted()).toEqual(ignoring.toSorted());
});
