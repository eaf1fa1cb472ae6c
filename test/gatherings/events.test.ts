import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainEvent, eventData } from '../../src/contract/events.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.js';
import { openStream } from '../support/stream.js';
import { type Gatherings, gatheringsOf } from './support.js';

let daemon: TestDaemon;
let mail: SmtpReceiver;
let g: Gatherings;
beforeAll(async () => {
  mail = await startSmtpReceiver();
  daemon = await startDaemon({ settings: { EARSHOT_SMTP_URL: mail.url, EARSHOT_MAIL_FROM: 'games@example.com' } });
  g = gatheringsOf(daemon);
});
afterAll(async () => {
  await daemon.stop();
  await mail.stop();
});

/** Returns the events of the gathering from the log, up to one of the type `until`. */
async function told(id: string, until: string): Promise<DomainEvent[]> {
  const stream = await openStream(
    `${daemon.url}/api/projects/${daemon.projectId}/events/stream?since=earliest&resources=gathering:${id}`,
    { 'X-API-Key': daemon.apiKey },
  );
  try {
    const events: DomainEvent[] = [];
    while (events.at(-1)?.type !== until) events.push(DomainEvent.parse((await stream.next(15_000)).data));
    return events;
  } finally {
    stream.close();
  }
}

describe('the events of a gathering', () => {
  it('tell every step, with what was before', async () => {
    const { id, joinCode } = await g.create({ name: 'Told' });
    const [ann, bob, cid] = [await g.person('ann'), await g.person('bob'), await g.person('cid')];
    await g.join(joinCode, ann.id);
    await g.join(joinCode, ann.id);
    const [toBob, toCid] = await g.invite(id, [bob.id, cid.id]);
    if (toBob === undefined || toCid === undefined) throw new Error('two were invited');
    await g.accept(toBob.id, bob.id);
    await g.change(id, ann.id, { ready: true });
    await g.change(id, ann.id, { ready: true });
    await g.leave(id, ann.id);
    await g.update(id, { name: 'Retold' });
    await g.update(id, { name: 'Retold' });
    await g.start(id);
    await g.start(id);
    await g.cancel(id);
    const events = await told(id, 'gathering.cancelled');
    expect(events.map(({ type, payload }) => [type, payload.action, payload.changes])).toMatchObject([
      ['gathering.created', 'created', undefined],
      ['gathering.member.joined', 'created', undefined],
      ['gathering.updated', 'updated', { ownerId: null }],
      ['gathering.invitation.sent', 'created', undefined],
      ['gathering.invitation.sent', 'created', undefined],
      ['gathering.invitation.accepted', 'updated', { status: 'pending', respondedAt: null }],
      ['gathering.member.joined', 'updated', { memberCount: 1, member: { status: 'invited' } }],
      ['gathering.member.ready', 'updated', { member: { ready: false, status: 'joined' } }],
      ['gathering.member.left', 'updated', { memberCount: 2, member: { status: 'ready', leftAt: null } }],
      ['gathering.updated', 'updated', { ownerId: ann.id }],
      ['gathering.updated', 'updated', { name: 'Told' }],
      ['gathering.started', 'updated', { status: 'CREATED' }],
      ['gathering.invitation.declined', 'updated', { status: 'pending', respondedAt: null }],
      ['gathering.cancelled', 'updated', { status: 'STARTED' }],
    ]);
    for (const { type, resourceId, payload } of events) {
      expect(resourceId).toBe(`gathering:${id}`);
      eventData[type as keyof typeof eventData].parse(payload.data);
    }
  });

  it('forget a person who is erased, whose seat is free then', async () => {
    const { id, joinCode } = await g.create();
    const [eve, dan] = [await g.person('eve the erased'), await g.person('dan')];
    await g.join(joinCode, eve.id);
    await g.join(joinCode, dan.id);
    await g.invite(id, [eve.id]);
    await g.change(id, eve.id, { ready: true });
    await daemon.client.call(participantRoutes.remove, { params: { projectId: daemon.projectId, id: eve.id } });
    expect(await g.get(id)).toMatchObject({ memberCount: 1, ownerId: dan.id, members: [{ displayName: 'dan' }] });
    expect(await g.invitations(id)).toEqual([]);
    await g.cancel(id);
    const events = await told(id, 'gathering.cancelled');
    expect(JSON.stringify(events)).not.toContain('eve the erased');
    expect(events.filter(({ type }) => type === 'gathering.member.joined')).toMatchObject([
      { payload: { data: { id, redacted: true } } },
      { payload: { data: { member: { displayName: 'dan' } } } },
    ]);
  });
});

describe('a gathering with autoStartSession', () => {
  const session = (id: string) =>
    daemon.client.call(sessionRoutes.get, { params: { projectId: daemon.projectId, id } });

  it('starts a session in its room, together with itself', async () => {
    const { id } = await g.create({ name: 'Talk', autoStartSession: true });
    const { sessionId, status } = await g.start(id, 'talk room');
    expect(status).toBe('STARTED');
    expect(await session(sessionId ?? '')).toMatchObject({
      title: 'Talk',
      externalRoomId: 'talk room',
      status: 'active',
    });
  });

  it('goes on in the session that the room has', async () => {
    const { id } = await daemon.client.call(sessionRoutes.create, {
      params: { projectId: daemon.projectId },
      body: { title: 'Before', externalRoomId: 'shared', autoStart: false },
    });
    const { id: gathering } = await g.create({ autoStartSession: true, roomId: 'shared' });
    expect(await g.start(gathering)).toMatchObject({ sessionId: id });
    await eventually(async () => expect((await session(id)).bot.state).not.toBe('idle'));
  });

  it('does so by itself when it is an appointment', async () => {
    const { id } = await g.create({ type: 'appointment', autoStartSession: true, startsAt: new Date().toISOString() });
    const { sessionId } = await eventually(async () => {
      const gathering = await g.get(id);
      expect(gathering.status).toBe('STARTED');
      return gathering;
    }, 15_000);
    expect(await session(sessionId ?? '')).toMatchObject({ status: 'active' });
  });
});

describe('mail', () => {
  it('goes to each invited address, with the code and the link', async () => {
    const { joinCode } = await g.create({
      name: 'Sunday raid',
      type: 'appointment',
      startsAt: '2026-12-06T19:00:00Z',
      timezone: 'Europe/Berlin',
      inviterName: 'Ann',
      inviterEmail: 'ann@example.com',
      invitationUrl: 'https://game.example/join?code={joinCode}',
      participants: [{ email: 'bob@example.com' }, { email: 'cid@example.com' }, { email: 'bob@example.com' }],
    });
    await eventually(() => expect(mail.letters).toHaveLength(2), 15_000);
    expect(mail.letters.map(({ to }) => to).sort()).toEqual([['bob@example.com'], ['cid@example.com']]);
    for (const { from, raw } of mail.letters) {
      expect(from).toBe('games@example.com');
      expect(raw).toContain('Reply-To: ann@example.com');
      expect(raw).toContain('Subject: You are invited to Sunday raid');
      expect(raw).toContain('Ann invites you to Sunday raid.');
      expect(raw).toMatch(/starts on .*6 December 2026.*20:00 \(Europe\/Berlin\)/);
      expect(raw).toContain(`${joinCode.slice(0, 4)}-${joinCode.slice(4)}`);
      expect(raw).toContain(`https://game.example/join?code=${joinCode}`);
    }
  });
});
