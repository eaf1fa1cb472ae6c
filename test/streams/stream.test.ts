import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { createUser, setUserDisabled } from '../../daemon/modules/identity/admin-operations.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { rawClient } from '../support/raw-http.js';
import { openStream, type RawFrame } from '../support/stream.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const streamUrl = (query = '') => `${daemon.url}/api/projects/${daemon.projectId}/events/stream${query}`;
const open = (query = '', headers: Record<string, string> = {}) =>
  openStream(streamUrl(query), { 'X-API-Key': daemon.apiKey, ...headers });
const join = (externalUserId: string) =>
  daemon.client.call(participantRoutes.create, { params: { projectId: daemon.projectId }, body: { externalUserId } });
const idsOf = (frame: RawFrame) =>
  (frame.data as { payload: { data: { externalUserId: string } } }).payload.data.externalUserId;

describe('GET /api/projects/{projectId}/events/stream', () => {
  it('tells what happens, under the id of the event and without an event name', async () => {
    const stream = await open();
    const participant = await join('live-1');
    const frame = await stream.next();
    expect(frame).toMatchObject({
      event: null,
      data: { type: 'participant.created', id: frame.id, resourceId: `participant:${participant.id}` },
    });
    expect((frame.data as { payload: { data: unknown } }).payload.data).toEqual(participant);
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
    stream.close();
  });

  it('goes on behind the last event seen, without gap or repetition', async () => {
    const first = await open();
    await join('resume-1');
    const { id } = await first.next();
    first.close();
    await join('resume-2');
    await join('resume-3');
    const second = await open('', { 'Last-Event-ID': id ?? '' });
    expect(idsOf(await second.next())).toBe('resume-2');
    expect(idsOf(await second.next())).toBe('resume-3');
    await join('resume-4');
    expect(idsOf(await second.next())).toBe('resume-4');
    second.close();
  });

  it('says that there is a gap when it does not know the last event', async () => {
    const stream = await open('?last-event-id=0190a000-0000-7000-8000-000000000000');
    const frame = await stream.next();
    expect(frame).toMatchObject({ event: 'stream.gap', data: { lastEventId: '0190a000-0000-7000-8000-000000000000' } });
    expect((await stream.next()).event).toBeNull();
    stream.close();
  });

  it('takes an empty last id for none', async () => {
    const stream = await open('?last-event-id=');
    await join('empty-id');
    expect(idsOf(await stream.next())).toBe('empty-id');
    stream.close();
  });

  it('replays while more comes in, each event once and in order', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `busy-${index}`);
    const anchor = await open();
    await join('busy-anchor');
    const { id } = await anchor.next();
    anchor.close();
    for (const name of names.slice(0, 20)) await join(name);
    const writing = (async () => {
      for (const name of names.slice(20)) await join(name);
    })();
    const streams = await Promise.all(Array.from({ length: 5 }, () => open('', { 'Last-Event-ID': id ?? '' })));
    await writing;
    for (const stream of streams) {
      const seen: string[] = [];
      while (seen.length < names.length) seen.push(idsOf(await stream.next()));
      expect(seen).toEqual(names);
      stream.close();
    }
  });

  it.each([
    ['earliest', () => 'earliest'],
    ['a time', (at: Date) => at.toISOString()],
  ])('begins at %s when asked', async (name, since) => {
    const before = new Date();
    await join(`since ${name}`);
    const stream = await open(`?types=participant.*&since=${since(before)}`);
    const seen = [];
    while (seen.at(-1) !== `since ${name}`) seen.push(idsOf(await stream.next()));
    expect(seen[0] === 'live-1').toBe(name === 'earliest');
    stream.close();
  });

  it.each(['?since=yesterday', '?types=sanc*tion', '?types=Sanction.created'])('refuses %s', async (query) => {
    const response = await fetch(streamUrl(query), { headers: { 'X-API-Key': daemon.apiKey } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ details: [{ message: expect.stringContaining('write ') }] });
  });

  it('tells, after a gap, every event later than the id that is not kept', async () => {
    const anchor = await open();
    await join('before the gap');
    const { id } = await anchor.next();
    await join('after the gap');
    anchor.close();
    const unknown = `${id?.slice(0, -12)}${'0'.repeat(12)}`; // of the same millisecond, and not in the log
    const stream = await open(`?last-event-id=${unknown}`);
    expect(await stream.next()).toMatchObject({ event: 'stream.gap', data: { lastEventId: unknown } });
    const seen = [];
    while (seen.at(-1) !== 'after the gap') seen.push(idsOf(await stream.next()));
    expect(seen.length).toBeLessThanOrEqual(2);
    stream.close();
  });

  it('filters by type, also by the beginning of one, and by resource', async () => {
    const participant = await join('filtered');
    const other = await open('?types=sanction.*');
    const begun = await open('?types=participant.up*');
    const own = await open(`?resources=${participant.id}`);
    await join('somebody else');
    await daemon.client.call(participantRoutes.update, {
      params: { projectId: daemon.projectId, id: participant.id },
      body: { displayName: 'Named' },
    });
    expect((await own.next()).data).toMatchObject({
      type: 'participant.updated',
      payload: { changes: { displayName: 'filtered' } },
    });
    expect((await begun.next()).data).toMatchObject({ type: 'participant.updated' });
    begun.close();
    await expect(other.next(300)).rejects.toThrow('No event came');
    own.close();
    other.close();
  });

  it('is cut when its key is revoked', async () => {
    const { id, key } = await daemon.admin.call(apiKeyRoutes.create, {
      body: { name: 'short', scopes: ['events:read'] },
    });
    const stream = await openStream(streamUrl(), { 'X-API-Key': key });
    await daemon.admin.call(apiKeyRoutes.revoke, { params: { id } });
    expect(await stream.next()).toMatchObject({ event: 'stream.closed', data: { reason: 'access_gone' } });
    await stream.ended;
  });

  it('is the same to a client that takes it in chunks and to one of HTTP/1.0, which cannot', async () => {
    const body = { name: 'old and new', scopes: ['events:read' as const] };
    const { id, key } = await daemon.admin.call(apiKeyRoutes.create, { body });
    const clients = await Promise.all(['1.0', '1.1'].map(() => rawClient(daemon.url)));
    const { pathname } = new URL(streamUrl());
    for (const [index, client] of clients.entries()) {
      client.send(
        `GET ${pathname} HTTP/1.${index}\r\nHost: localhost\r\nConnection: close\r\nX-API-Key: ${key}\r\n\r\n`,
      );
      await client.received();
    }
    for (const name of ['plain', 'naïve', 'many '.repeat(40)]) await join(name);
    await daemon.admin.call(apiKeyRoutes.revoke, { params: { id } });
    const [old = '', chunked = ''] = await Promise.all(clients.map((client) => client.all()));
    const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4);
    let [frames, rest] = ['', bodyOf(chunked)];
    while (rest !== '') {
      const [, length = '', after = ''] = /^([0-9a-f]+)\r\n(.*)$/s.exec(rest) ?? [];
      const end = Number.parseInt(length, 16);
      frames += after.slice(0, end);
      expect(after.slice(end, end + 2)).toBe('\r\n');
      rest = after.slice(end + 2);
    }
    expect(old).not.toContain('chunked');
    expect(chunked).toContain('Transfer-Encoding: chunked');
    expect(frames).toBe(bodyOf(old));
    expect(frames.match(/"type":"participant.created"/g)).toHaveLength(3);
  });

  it('is cut when its login logs out', async () => {
    const body = { email: 'admin@localhost', password: 'a long enough password' };
    const { accessToken } = await daemon.client.call(accountRoutes.loginCredentials, { body });
    const headers = { Authorization: `Bearer ${accessToken}` };
    const stream = await openStream(streamUrl(), headers);
    await fetch(`${daemon.url}/api/auth/logout`, { method: 'POST', headers });
    await stream.ended;
    expect((await fetch(`${daemon.url}/api/auth/me`, { headers })).status).toBe(401);
  });

  it('is cut when its owner loses the role', async () => {
    const params = { projectId: daemon.projectId };
    const invited = { email: 'viewer@example.com', role: 'viewer' } as const;
    const { permissionId, invitationUrl } = await daemon.admin.call(projectUserRoutes.invite, {
      params,
      body: invited,
    });
    const token = new URLSearchParams(new URL(invitationUrl ?? '').hash.slice(1)).get('token') ?? '';
    const { accessToken } = await daemon.client.call(accountRoutes.acceptInvitation, {
      body: { token, password: 'another long password' },
    });
    const stream = await openStream(streamUrl(), { Authorization: `Bearer ${accessToken}` });
    await join('seen by a viewer');
    expect(idsOf(await stream.next())).toBe('seen by a viewer');
    await daemon.admin.call(projectUserRoutes.remove, { params, body: { permissionId } });
    expect(await stream.next()).toMatchObject({ event: 'stream.closed', data: { reason: 'access_gone' } });
    await stream.ended;
  });

  it('is cut when its owner changes the password', async () => {
    const body = { email: 'viewer@example.com', password: 'another long password' };
    const { accessToken } = await daemon.client.call(accountRoutes.loginCredentials, { body });
    const headers = { Authorization: `Bearer ${accessToken}` };
    const stream = await openStream(`${daemon.url}/api/events/stream`, headers);
    await new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } }).call(
      accountRoutes.changePassword,
      { body: { currentPassword: body.password, newPassword: 'a third long password' } },
    );
    await stream.ended;
  });

  it('is cut when the account of its owner is disabled', async () => {
    const owner = { email: `leaver-${Date.now()}@example.com`, password: 'another long password' };
    await askDaemon(daemon.dataDir, createUser, { ...owner, role: 'admin', tenant: null });
    const { accessToken } = await daemon.client.call(accountRoutes.loginCredentials, { body: owner });
    const stream = await openStream(streamUrl(), { Authorization: `Bearer ${accessToken}` });
    await askDaemon(daemon.dataDir, setUserDisabled, { email: owner.email, disabled: true });
    expect(await stream.next()).toMatchObject({ event: 'stream.closed', data: { reason: 'access_gone' } });
    await stream.ended;
  });

  it('is refused to a key without the scope', async () => {
    const { key } = await daemon.admin.call(apiKeyRoutes.create, { body: { name: 'narrow', scopes: ['sanctions'] } });
    const response = await fetch(streamUrl(), { headers: { 'X-API-Key': key } });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'insufficient_scope' });
  });
});

describe('GET /api/events/stream', () => {
  const openAll = (key: string) =>
    openStream(`${daemon.url}/api/events/stream?types=participant.*`, { 'X-API-Key': key });

  it('carries every project that the caller may read, and no other', async () => {
    const { id: otherId } = await daemon.admin.call(projectRoutes.create, { body: { name: 'other' } });
    const { key } = await daemon.admin.call(apiKeyRoutes.create, {
      body: { name: 'one project', scopes: ['events:read'], projectId: otherId },
    });
    const [wide, narrow] = await Promise.all([openAll(daemon.apiKey), openAll(key)]);
    await join('in the first');
    await daemon.client.call(participantRoutes.create, {
      params: { projectId: otherId },
      body: { externalUserId: 'in the other' },
    });
    expect([idsOf(await wide.next()), idsOf(await wide.next())]).toEqual(['in the first', 'in the other']);
    expect(idsOf(await narrow.next())).toBe('in the other');
    wide.close();
    narrow.close();
  });

  it('carries a project from its first event on, and none that is gone', async () => {
    const wide = await openAll(daemon.apiKey);
    const { id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: 'brand new' } });
    await daemon.client.call(participantRoutes.create, { params: { projectId }, body: { externalUserId: 'first' } });
    expect(idsOf(await wide.next())).toBe('first');
    wide.close();
    await daemon.admin.call(projectRoutes.remove, { params: { projectId } });
    const again = await openStream(`${daemon.url}/api/events/stream?types=participant.*&since=earliest`, {
      'X-API-Key': daemon.apiKey,
    });
    await join('last');
    const seen = [];
    while (seen.at(-1) !== 'last') seen.push(idsOf(await again.next()));
    expect(seen).not.toContain('first');
    again.close();
  });
});
