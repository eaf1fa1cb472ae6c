import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionTemplateRoutes } from '../../src/contract/moderation/sanction-templates.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
let now = new Date('2026-01-01T00:00:00.000Z');
beforeAll(async () => {
  daemon = await startDaemon({ now: () => now });
});
afterAll(() => daemon.stop());

const params = () => ({ projectId: daemon.projectId });
const create = (body: CreateSanctionRequest) => daemon.client.call(sanctionRoutes.create, { params: params(), body });

describe('POST /api/projects/{projectId}/sanctions', () => {
  it('mutes a user for ten minutes', async () => {
    const sanction = await create({ type: 'mute', externalUserId: 'u_42', duration: 600 });
    expect(sanction).toMatchObject({
      type: 'mute',
      endAt: '2026-01-01T00:10:00.000Z',
      isActive: true,
      status: 'active',
      duration: 600,
    });
  });

  it('refuses a sanction without a target', async () => {
    await expect(create({ type: 'mute' })).rejects.toMatchObject({ status: 400, code: 'sanction_target_required' });
  });

  it.each([
    { why: 'a temp_ban without an end', body: { type: 'temp_ban' } },
    { why: 'a perm_ban with an end', body: { type: 'perm_ban', duration: 60 } },
    { why: 'duration and endAt together', body: { type: 'mute', duration: 60, endAt: '2026-01-02T00:00:00Z' } },
    { why: 'an end before the start', body: { type: 'mute', endAt: '2025-12-31T23:59:59Z' } },
  ] as const)('refuses $why', async ({ body }) => {
    await expect(create({ ...body, externalUserId: 'u1' })).rejects.toMatchObject({
      status: 400,
      code: 'sanction_time_invalid',
    });
  });

  it('takes the external id from the participant', async () => {
    const participant = await daemon.client.call(participantRoutes.create, {
      params: params(),
      body: { externalUserId: 'p1' },
    });
    const sanction = await create({ type: 'warn', participantId: participant.id });
    expect(sanction).toMatchObject({
      externalUserId: 'p1',
      participantId: participant.id,
      participant: { displayName: 'p1' },
    });
  });
});

describe('the scope of a sanction', () => {
  it.each<[string, NonNullable<CreateSanctionRequest['scope']>]>([
    ['text', 'team chat'],
    ['text that looks like JSON', '{"channels":["team"]}'],
    ['an object', { channels: ['team'], until: null, weight: 2 }],
  ])('is given back as sent: %s', async (_, scope) => {
    const { id } = await create({ type: 'mute', externalUserId: 'scoped', duration: 60, scope });
    const at = { params: { ...params(), id } };
    expect((await daemon.client.call(sanctionRoutes.get, at)).scope).toEqual(scope);
    const changed = await daemon.client.call(sanctionRoutes.update, { ...at, body: { scope: { all: true } } });
    expect(changed.scope).toEqual({ all: true });
    expect((await daemon.client.call(sanctionRoutes.update, { ...at, body: { scope: null } })).scope).toBeNull();
  });

  it('is an object of 4 KiB at most', async () => {
    const large = { text: 'ä'.repeat(2_048) };
    await expect(create({ type: 'warn', externalUserId: 'scoped', scope: large })).rejects.toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
  });
});

describe('a field that a serializer wrote as null', () => {
  it('is left out: the sanction is permanent and begins now', async () => {
    const body = { type: 'mute', externalUserId: 'nulls', endAt: null, duration: null, reason: null, startAt: null };
    const response = await fetch(`${daemon.url}/api/projects/${daemon.projectId}/sanctions`, {
      method: 'POST',
      headers: { 'X-API-Key': daemon.apiKey, 'Content-Type': 'application/json' },
      body: `\uFEFF${JSON.stringify(body)}`,
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ endAt: null, isActive: true, reason: null });
  });
});

describe('a list of sanctions', () => {
  it.each(['limit=&type=', 'activeOnly=1', 'activeOnly=True', 'activeOnly=true&offset='])(
    'takes ?%s',
    async (query) => {
      const url = `${daemon.url}/api/projects/${daemon.projectId}/sanctions?${query}`;
      expect((await fetch(url, { headers: { 'X-API-Key': daemon.apiKey } })).status).toBe(200);
    },
  );
});

describe('what a sanction points at', () => {
  const nobody = '0190a000-0000-7000-8000-000000000000';
  const known = () =>
    daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId: 'pointed' } });

  it.each([
    ['participant_not_found', 404, { participantId: nobody }],
    ['session_not_found', 404, { externalUserId: 'u1', sessionId: nobody }],
    ['sanction_template_not_found', 404, { externalUserId: 'u1', template: 'unheard-of' }],
    ['validation_failed', 400, { externalUserId: 'u1', evidence: { messageIds: [nobody], reviewId: nobody } }],
  ])('must be there: %s', async (code, status, body) => {
    await expect(create({ type: 'mute', ...body })).rejects.toMatchObject({ status, code });
  });
  it('is one person, by whichever id', async () => {
    const { id, externalUserId } = await known();
    await expect(create({ type: 'warn', participantId: id, externalUserId: 'another' })).rejects.toMatchObject({
      code: 'sanction_target_mismatch',
    });
    expect(await create({ type: 'warn', participantId: id, externalUserId })).toMatchObject({ externalUserId });
    expect(await create({ type: 'warn', externalUserId })).toMatchObject({ participantId: id });
  });
  it('is a template, unless a reason is given', async () => {
    const at = { params: { ...params(), name: 'loud' }, body: { reason: 'shouting' } };
    await daemon.client.call(sanctionTemplateRoutes.set, at);
    const target = { type: 'warn', externalUserId: 'u1', template: 'loud' } as const;
    expect(await create(target)).toMatchObject({ reason: 'shouting' });
    expect(await create({ ...target, reason: 'singing' })).toMatchObject({ reason: 'singing' });
  });
});

describe('the end of a sanction', () => {
  it('is there to the millisecond', async () => {
    const { id } = await create({ type: 'mute', externalUserId: 'u_end', duration: 60 });
    const get = () => daemon.client.call(sanctionRoutes.get, { params: { ...params(), id } });
    now = new Date('2026-01-01T00:00:59.999Z');
    expect(await get()).toMatchObject({ isActive: true, status: 'active' });
    now = new Date('2026-01-01T00:01:00.000Z');
    expect(await get()).toMatchObject({ isActive: false, status: 'expired' });
  });

  it('comes early by revocation, once', async () => {
    const { id } = await create({ type: 'perm_ban', externalUserId: 'u_ban' });
    const revoke = () =>
      daemon.client.call(sanctionRoutes.revoke, { params: { ...params(), id }, body: { reason: 'appeal' } });
    expect(await revoke()).toMatchObject({ status: 'revoked', isActive: false, revokeReason: 'appeal' });
    await expect(revoke()).rejects.toMatchObject({ status: 409, code: 'sanction_not_active' });
  });
});

describe('GET …/sanctions/user/{externalUserId}/active', () => {
  it('lists what is in force, of one kind if asked', async () => {
    await create({ type: 'mute', externalUserId: 'u_two' });
    await create({ type: 'warn', externalUserId: 'u_two' });
    const path = { ...params(), externalUserId: 'u_two' };
    expect(await daemon.client.call(sanctionRoutes.activeOfUser, { params: path })).toHaveLength(2);
    const mutes = await daemon.client.call(sanctionRoutes.activeOfUser, { params: path, query: { type: 'mute' } });
    expect(mutes.map(({ type }) => type)).toEqual(['mute']);
  });
});
