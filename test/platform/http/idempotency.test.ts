/** Idempotency-Key on POST: who lost an answer may ask again without doing the thing twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functionRoutes } from '../../../src/contract/functions/functions.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { projectRoutes } from '../../../src/contract/projects/projects.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { startHostingApi } from '../../support/hosting-api.js';

const dayMs = 24 * 3_600_000;
let time = new Date('2026-01-01T00:00:00.000Z');
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ now: () => time, settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.1/32' } });
});
afterAll(() => daemon.stop());

interface Answer {
  readonly status: number;
  readonly body: { readonly id: string; readonly code?: string };
}

async function post(key: string, body: object, at = 'sanctions', apiKey = daemon.apiKey): Promise<Answer> {
  const response = await fetch(`${daemon.url}/api/projects/${daemon.projectId}/${at}`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const warn = (externalUserId: string) => ({ type: 'warn', externalUserId });
const warningsOf = async (externalUserId: string) => {
  const params = { projectId: daemon.projectId, externalUserId };
  return (await daemon.client.call(sanctionRoutes.activeOfUser, { params })).length;
};

describe('Idempotency-Key', () => {
  it('with the same body gives the first answer, and the thing is done once', async () => {
    const first = await post('repeat', warn('once'));
    expect(await post('repeat', warn('once'))).toEqual(first);
    expect([first.status, await warningsOf('once')]).toEqual([201, 1]);
  });

  it('gives the first answer after a restart as well', async () => {
    const first = await post('restart', warn('restarted'));
    await daemon.restart();
    expect(await post('restart', warn('restarted'))).toEqual(first);
  });

  it('with another body is 422 and does nothing', async () => {
    await post('other body', warn('one'));
    expect(await post('other body', warn('two'))).toMatchObject({
      status: 422,
      body: { code: 'idempotency_mismatch' },
    });
    expect(await warningsOf('two')).toBe(0);
  });

  it('belongs to the project: another API key gets the first answer', async () => {
    const other = await daemon.clientWith(['sanctions']);
    const key = other.credential?.kind === 'apiKey' ? other.credential.key : '';
    const first = await post('shared', warn('shared'));
    expect(await post('shared', warn('shared'), 'sanctions', key)).toEqual(first);
    expect(await warningsOf('shared')).toBe(1);
  });

  it('is none of another project, and gives nothing to a key that may not do it', async () => {
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'other' } });
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'apart' };
    const ask = async (projectId: string, apiKey: string) => {
      const url = `${daemon.url}/api/projects/${projectId}/sanctions`;
      const body = JSON.stringify(warn('apart'));
      const response = await fetch(url, { method: 'POST', headers: { ...headers, 'X-API-Key': apiKey }, body });
      return { status: response.status, ...((await response.json()) as { id?: string; code?: string }) };
    };
    const first = await ask(daemon.projectId, daemon.apiKey);
    expect((await ask(id, daemon.apiKey)).id).not.toBe(first.id);
    const reader = await daemon.clientWith(['sanctions:read']);
    const key = reader.credential?.kind === 'apiKey' ? reader.credential.key : '';
    expect(await ask(daemon.projectId, key)).toMatchObject({ status: 403 });
  });

  it('belongs to the path', async () => {
    const body = { externalUserId: 'both', type: 'warn' };
    const [sanction, participant] = [await post('path', body), await post('path', body, 'participants')];
    expect([sanction.status, participant.status]).toEqual([201, 201]);
    expect(participant.body.id).not.toBe(sanction.body.id);
  });

  it('sent many times at once does the thing once, and all get its answer', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => post('storm', warn('storm'))));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await warningsOf('storm')).toBe(1);
  });

  it('belongs to a request for as long as that is answered', async () => {
    const hosting = await startHostingApi();
    const reach = { provider: 'http', address: hosting.url, credentials: { token: hosting.token } } as const;
    await daemon.client.call(functionRoutes.update, { params: { projectId: daemon.projectId }, body: reach });
    let answer = (_: null) => {};
    hosting.behave = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const verify = () => post('slow', {}, 'functions/settings/verify-credentials');
    const first = verify();
    await eventually(async () => expect(hosting.asked).toHaveLength(1));
    time = new Date(time.getTime() + 120_000);
    expect(await verify()).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
    answer(null);
    expect(await first).toMatchObject({ status: 200, body: { valid: true } });
    expect(await verify()).toEqual(await first);
    expect(hosting.asked).toHaveLength(1);
    await hosting.stop();
  });

  it('is free again after a refusal, so that the mended request can use it', async () => {
    expect((await post('mended', { type: 'warn' })).status).toBe(400);
    expect((await post('mended', warn('mended'))).status).toBe(201);
  });

  it('is kept for a day', async () => {
    const first = await post('day', warn('daily'));
    time = new Date(time.getTime() + dayMs - 1_000);
    expect((await post('day', warn('daily'))).body.id).toBe(first.body.id);
    time = new Date(time.getTime() + 2_000);
    expect((await post('day', warn('daily'))).body.id).not.toBe(first.body.id);
  });

  it.each([['x'.repeat(256)], ['']])('that is empty or over 255 characters is 400', async (key) => {
    const { status, body } = await post(key, warn('long'));
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'validation_failed' });
  });

  it('is left alone on other methods', async () => {
    const params = { projectId: daemon.projectId };
    const { id } = await daemon.client.call(participantRoutes.create, { params, body: { externalUserId: 'patched' } });
    for (const displayName of ['first', 'second']) {
      const response = await fetch(`${daemon.url}/api/projects/${daemon.projectId}/participants/${id}`, {
        method: 'PATCH',
        headers: { 'X-API-Key': daemon.apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': 'patch' },
        body: JSON.stringify({ displayName }),
      });
      expect(await response.json()).toMatchObject({ displayName });
    }
  });

  it('is refused where the answer holds a secret, which is never kept', async () => {
    const refused = { status: 400, body: { code: 'idempotency_key_refused' } };
    expect(await post('token', { roomId: 'r', userId: 'u' }, 'token')).toMatchObject(refused);
  });
});
