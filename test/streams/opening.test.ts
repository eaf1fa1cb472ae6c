/** Lookups for an opening stream: permissions once between two checks, the log only where something may be missing. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Reach } from '../../daemon/modules/streams/filter.js';
import { checkMs } from '../../daemon/modules/streams/limits.js';
import { eventually } from '../support/eventually.js';
import { startHub, type TestHub } from '../support/stream-hub.js';

let streams: TestHub;
afterEach(() => streams.stop());

const only = (projectId: string): Reach => ({
  tenantId: 't',
  projects: new Set([projectId]),
  tenantBut: null,
  audit: true,
});
const reach = async (_: unknown, projectId: string | null) => only(projectId ?? 'p');

describe('the permission of a stream', () => {
  it('is asked for once by all that open between two checks', async () => {
    let asked = 0;
    streams = await startHub({
      reach: async () => {
        asked += 1;
        return only('p');
      },
    });
    await Promise.all(Array.from({ length: 20 }, () => streams.open('k', 'p')));
    expect(asked).toBeLessThanOrEqual(2); // a check may come in between
  });

  it('ends with the next check, and two checks take a second at most', async () => {
    let valid = true;
    let askedSince = 0;
    streams = await startHub({
      reach: async () => {
        if (!valid) askedSince += 1;
        return valid ? only('p') : null;
      },
    });
    const before = await streams.open('k', 'p');
    valid = false;
    const after = await streams.open('k', 'p'); // on what was known before, or refused
    for (const stream of after.status === 200 ? [before, after] : [before])
      expect(await stream.next()).toMatchObject({ event: 'stream.closed', data: { reason: 'access_gone' } });
    expect(askedSince).toBeLessThanOrEqual(2);
    expect(2 * checkMs).toBeLessThanOrEqual(1_000);
    expect((await streams.open('k', 'p')).status).toBe(403);
  });

  it('ends though that of another cannot be asked for', async () => {
    let stored = true;
    streams = await startHub({
      reach: async ({ id }) => {
        if (!stored && id === 'unreadable') throw new Error('The row cannot be read.');
        return stored ? only('p') : null;
      },
    });
    await streams.open('unreadable', 'p');
    const revoked = await streams.open('k', 'p');
    stored = false;
    expect(await revoked.next()).toMatchObject({ event: 'stream.closed', data: { reason: 'access_gone' } });
  });

  it('is asked for each time where it covers all projects, so that a new one is there at once', async () => {
    const projects = new Set(['p']);
    streams = await startHub({
      reach: async () => ({ tenantId: 't', projects: new Set(projects), tenantBut: null, audit: true }),
    });
    await streams.follower.start();
    const narrow = await streams.open('k');
    projects.add('q');
    const wide = await streams.open('k');
    const [id] = await streams.store('q');
    expect(await wide.next()).toMatchObject({ id });
    narrow.close();
  });
});

describe('the place of a stream', () => {
  const beginOf = async (projectId: string) => {
    const stream = await streams.open('k', projectId);
    stream.close();
    return stream.headers.get('last-event-id');
  };
  const caughtUp = (position: bigint) => eventually(() => expect(streams.follower.position).toBe(position));

  it('is the newest event of the owner, however many others came since', async () => {
    streams = await startHub({ reach });
    await streams.follower.start();
    expect(await beginOf('p')).toBe('earliest');
    const [first] = await streams.store('p');
    expect(await beginOf('p')).toBe(first); // also while the follower is still reading
    await caughtUp(1n);
    expect(await beginOf('p')).toBe(first);
    const [second] = await streams.store('p', 'q', 'q');
    await caughtUp(4n);
    expect(await beginOf('p')).toBe(second);
    await streams.store(...Array.from({ length: 5_000 }, () => 'q'));
    await caughtUp(5_004n);
    expect(await beginOf('p')).toBe(second);
    const [third] = await streams.store('p');
    await caughtUp(5_005n);
    expect(await beginOf('p')).toBe(third);
  });

  it('goes on behind the newest event, behind an older one and behind one of somebody else', async () => {
    streams = await startHub({ reach });
    await streams.follower.start();
    const [first = '', foreign = '', newest = ''] = await streams.store('p', 'q', 'p');
    await caughtUp(3n);
    const from = (id: string) => streams.open('k', 'p', { 'Last-Event-ID': id });
    const [atEnd, behind, lost] = await Promise.all([from(newest), from(first), from(foreign)]);
    const [later] = await streams.store('q', 'p').then((ids) => ids.slice(1));
    expect(await atEnd.next()).toMatchObject({ id: later });
    expect([await behind.next(), await behind.next()]).toMatchObject([{ id: newest }, { id: later }]);
    expect(await lost.next()).toMatchObject({ event: 'stream.gap', data: { lastEventId: foreign } });
  });

  it('shows no event that was stored before, also where it was not passed on yet', async () => {
    streams = await startHub({ reach });
    const [before] = await streams.store('p'); // nobody follows yet
    const stream = await streams.open('k', 'p');
    expect(stream.headers.get('last-event-id')).toBe(before);
    await streams.follower.start(0n);
    const [after] = await streams.store('p');
    expect(await stream.next()).toMatchObject({ id: after });
  });
});

describe('a stream about a person who is moved while it opens', () => {
  it('goes on under the new id', async () => {
    const about = (externalUserId: string, type: string, more: object = {}) => ({
      ...{ type, tenantId: 't', projectId: 'p', resourceId: 'participant:1', action: 'updated' as const },
      data: { externalUserId, ...more },
    });
    const moved = about('new', 'participant.moved', { id: '1', movedFrom: 'old', joinedId: null });
    let isMoved = false;
    streams = await startHub({
      reach,
      idsOf: async (hub, user) => {
        // Read before the move, and answered once the move was passed on.
        const { position } = hub.follower;
        await hub.append(moved);
        await eventually(() => expect(hub.follower.position).toBeGreaterThan(position));
        isMoved = true;
        return [user];
      },
    });
    await streams.follower.start();
    const stream = await streams.open('k', 'p', {}, 'old');
    await eventually(() => expect(isMoved).toBe(true));
    const [, id] = await streams.append(
      {
        ...about('other', 'participant.updated'),
        resourceId: 'participant:2',
      },
      {
        ...about('new', 'sanction.created'),
        resourceId: 'sanction:1',
      },
    );
    expect(await stream.next()).toMatchObject({ data: { type: 'participant.moved' } });
    expect(await stream.next()).toMatchObject({ id });
  });
});
