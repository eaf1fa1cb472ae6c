/** Messages of the team to people: in their rooms, in their standing, on their page's code, as events, by `participants notify`. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { RoomEvents } from '../../src/client/room/room-events.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import type { AppliedSanctions } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personNoticeRoutes } from '../../src/contract/people/person-notices.js';
import type { RoomStreamEvent } from '../../src/contract/rooms/room-events.js';
import { answered } from '../support/answered.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { roomToken } from '../support/room-client.js';
import { openStream } from '../support/stream.js';

const text = 'Your ban was a mistake and is lifted.';
let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  cli.dispose();
  await daemon.stop();
});

const params = () => ({ projectId: daemon.projectId });
const person = (externalUserId: string) =>
  daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId } });
const inStanding = async (userId: string): Promise<string[]> => {
  const { token } = await daemon.client.call(playerRoutes.createToken, { params: { ...params(), userId } });
  const player = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  return (await player.call(statementRoutes.mine, {})).notices.map((notice) => notice.text);
};
const notify = (...externalUserIds: string[]) =>
  daemon.client.call(personNoticeRoutes.notify, { params: params(), body: { text, externalUserIds } });
const banned = (externalUserId: string) =>
  daemon.client.call(sanctionRoutes.create, {
    params: params(),
    body: { type: 'mute', externalUserId, duration: 600 },
  });
/** The messages on the page of a sanctioned person, which needs no account. */
const onPage = async (sanctionId: string) => {
  const { url } = await daemon.client.call(statementRoutes.get, { params: { ...params(), id: sanctionId } });
  const code = url?.split('/').at(-1) ?? '';
  const read = await daemon.client.call(statementRoutes.notices, { params: { code } });
  return read.map((notice) => notice.text);
};

describe('a message to people', () => {
  it('reaches their rooms, their standing page and the log, and nobody else', async () => {
    const [ann, bob, roomId] = [randomUUID(), randomUUID(), randomUUID()];
    await person(ann);
    const sanctions = { ann: await banned(ann), bob: await banned(bob) };
    const told: Record<string, RoomStreamEvent[]> = { [ann]: [], [bob]: [] };
    const streams = [];
    for (const who of [ann, bob]) {
      const token = await roomToken(daemon.client, daemon.projectId, roomId, who);
      const events = new RoomEvents({ url: `${daemon.url}/rooms/${roomId}`, token, encryption: null });
      events.subscribe((event) => told[who]?.push(event));
      await events.open();
      streams.push(events);
    }
    await eventually(() => expect(Object.values(told).every((events) => events.length > 0)).toBe(true));
    const address = `${daemon.url}/api/projects/${daemon.projectId}/events/stream?types=participant.notified`;
    const log = await openStream(address, { 'X-API-Key': daemon.apiKey });

    const sent = await notify(ann, ann);
    expect(sent).toMatchObject({ notified: 1, unknown: [] });
    const notice = { type: 'room.notified', id: expect.any(String), text, at: sent.createdAt };
    await eventually(() => expect(told[ann]).toContainEqual(notice));
    expect(told[bob]?.map(({ type }) => type)).not.toContain('room.notified');
    const { data } = await log.next();
    expect(data).toMatchObject({ payload: { action: 'created', data: { externalUserId: ann, text } } });
    expect([await onPage(sanctions.ann.id), await onPage(sanctions.bob.id)]).toEqual([[text], []]);
    for (const one of [...streams, log]) one.close();
  });

  it('says who was never here, and goes with the person', async () => {
    const [known, stranger] = [randomUUID(), randomUUID()];
    const { id } = await person(known);
    expect(await notify(known, stranger)).toMatchObject({ notified: 2, unknown: [stranger] });
    await daemon.client.call(participantRoutes.remove, { params: { ...params(), id } });
    const sanction = await banned(known);
    expect(await onPage(sanction.id)).toEqual([]);
  });

  it('has words and people, and not too many', async () => {
    const many = Array.from({ length: 1_001 }, () => randomUUID());
    for (const body of [
      { text: ' ', externalUserIds: ['a'] },
      { text, externalUserIds: [] },
      { text, externalUserIds: many },
    ])
      await expect(daemon.client.call(personNoticeRoutes.notify, { params: params(), body })).rejects.toMatchObject({
        code: 'validation_failed',
      });
  });
});

describe('participants notify', () => {
  it('takes those of a batch and people by name, after a dry run and a question', async () => {
    for (const name of ['carl', 'dora', 'emil']) await person(name);
    const items = ['carl', 'dora'].map((externalUserId) => ({ type: 'temp_ban', externalUserId, duration: 3600 }));
    const file = items.map((item) => JSON.stringify(item)).join('\n');
    const [applied] = (await cli.run(['sanctions', 'apply', '-', '--batch', 'raid', '--json'], { input: file })).stdout
      .trim()
      .split('\n')
      .map((line): AppliedSanctions => JSON.parse(line));
    expect(applied).toMatchObject({ created: 2 });
    const line = ['participants', 'notify', text, '--batch', 'raid', '--user', 'emil'];
    const dry = await cli.run([...line, '--dry-run']);
    expect(dry.stdout).toMatch(/emil[\s\S]*(carl|dora)/);
    expect(dry.stderr).toContain('This would go to 3 people; nothing was sent.');
    expect(await cli.run(line)).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });
    expect(await cli.run([...line, '--yes'])).toMatchObject({ code: 0, stderr: 'Sent to 3 people.\n' });
    const sanction = await banned('carl');
    expect(await onPage(sanction.id)).toEqual([text]);
  });

  it('asks on a terminal before it goes to several', async () => {
    for (const name of ['gina', 'hugo']) await person(name);
    const line = ['participants', 'notify', text, '--user', 'gina', '--user', 'hugo'];
    for (const [keys, code, got] of [
      ['y\r', 2, []],
      ['send\u0003', 130, []],
      ['send\r', 0, [text]],
    ] as const) {
      const ended = await answered(cli, line, 'Type send to continue', keys);
      expect(ended).toMatchObject({ code, screen: expect.stringContaining('This goes to 2 people.') });
      expect(await inStanding('gina')).toEqual(got);
    }
  });

  it('says what is missing', async () => {
    for (const [line, code, says] of [
      [[], 2, 'Say whom it concerns'],
      [['--room', 'demo'], 2, 'Say since when'],
      [['--user', 'emil', '--since', '1h'], 2, '--since goes with'],
      [['--room', 'nobody-was-here', '--since', '1h'], 4, 'concerns nobody'],
    ] as const)
      expect(await cli.run(['participants', 'notify', text, ...line])).toMatchObject({
        code,
        stderr: expect.stringContaining(says),
      });
  });
});

describe('getMyStanding', () => {
  it('shows a player the messages, newest first', async () => {
    await notify('finn');
    expect(await inStanding('finn')).toEqual([text]);
  });
});
