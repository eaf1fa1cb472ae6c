/** Hints that somebody may be somebody else: `participants alike`. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { looksKey } from '../../daemon/platform/text/look-alike.js';
import { alikeRoutes } from '../../src/contract/people/alike.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { roomVisitRoutes } from '../../src/contract/rooms/room-visits.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { answering, roomToken } from '../support/room-client.js';
import { Speaker } from '../support/room-peers.js';

describe('looksKey', () => {
  it.each([
    ['Oscar', 'Оscar'],
    ['Oscar', '0sc4r'],
    ['Oscar', 'o_s c.a.r'],
    ['Illia', 'lIlia'],
    ['Burn', 'Bum'],
  ])('is one for %s and %s', (one, other) => expect(looksKey(one)).toBe(looksKey(other)));

  it('is another for other names, and empty without letters', () => {
    expect(looksKey('Oscar')).not.toBe(looksKey('Otto'));
    expect(looksKey('…')).toBe('');
  });
});

describe('people who are alike', { timeout: 60_000 }, () => {
  let daemon: TestDaemon;
  const peers: Speaker[] = [];
  const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
  beforeAll(async () => {
    daemon = await startDaemon();
  });
  afterAll(async () => {
    for (const peer of peers) peer.close();
    cli.dispose();
    await daemon.stop();
  });

  const params = () => ({ projectId: daemon.projectId });
  const person = (externalUserId: string, displayName: string, userData: Record<string, string> = {}) =>
    daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId, displayName, userData } });
  const join = async (name: string, roomId: string) => {
    const peer = new Speaker(name);
    peers.push(peer);
    const token = await roomToken(daemon.client, daemon.projectId, roomId, name);
    await peer.join(answering(daemon.url, 'whip', roomId, token));
  };

  it('are named with the reason, and nothing happens to them', async () => {
    const roomId = randomUUID();
    const { id } = await person('u1', 'Oscar', { deviceId: 'd-1', ip: '203.0.113.7' });
    await person('u2', 'Berta', { deviceId: 'd-1' });
    await person('u3', 'Carl', { ipAddress: '203.0.113.7' });
    await person('u4', 'Оscar');
    await person('u5', 'Oskar');
    await person('u6', 'Dora', { deviceId: 'd-2' });
    for (const name of ['u1', 'u6']) await join(name, roomId);
    const query = { since: new Date(Date.now() - 60_000).toISOString() };
    const visits = { params: { ...params(), roomId }, query };
    await eventually(async () => expect(await daemon.client.call(roomVisitRoutes.list, visits)).toHaveLength(2));

    const found = await daemon.client.call(alikeRoutes.list, { params: { ...params(), id } });
    const hints = new Map(found.map((one) => [one.externalUserId, one.hints.map(({ kind }) => kind)]));
    expect(Object.fromEntries(hints)).toEqual({
      ...{ u2: ['device'], u3: ['address'], u4: ['look_alike_name'], u5: ['similar_name'], u6: ['joined'] },
    });
    expect(JSON.stringify(found)).not.toMatch(/d-1|203\.0\.113/);

    const { stdout, stderr } = await cli.run(['participants', 'alike', 'u1']);
    expect(stdout).toMatch(/Dora +Joined the same room within ten seconds, in 1 of their last 1 visit\./);
    expect(stderr).toContain('no proof');
    const asked = await cli.run(['mute', 'oscar', '10m']);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toMatch(/More than one person is oscar;.*\n.*u1 +Oscar\n.*u4 +Оscar {2}\(looks like Oscar\)/);
    expect(asked.stderr).not.toContain('Oskar');
    const { total } = await cli.json<{ total: number }>(['sanctions', 'list']);
    expect(total).toBe(0);
    const narrow = await daemon.clientWith(['participants:read']);
    const without = await narrow.call(alikeRoutes.list, { params: { ...params(), id } });
    expect(without.map((one) => one.externalUserId)).not.toContain('u6');
  });

  it('knows nobody alike, and nobody at all', async () => {
    const { id } = await person('lonely', 'Xaver Quentin');
    expect(await daemon.client.call(alikeRoutes.list, { params: { ...params(), id } })).toEqual([]);
    const nobody = { params: { ...params(), id: randomUUID() } };
    await expect(daemon.client.call(alikeRoutes.list, nobody)).rejects.toMatchObject({ code: 'participant_not_found' });
  });
});
