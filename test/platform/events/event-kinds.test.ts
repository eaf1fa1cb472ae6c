/** Every kind of event that the contract names is emitted by an operation, with the data that the contract states. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../daemon/platform/database/database.js';
import { unpacked } from '../../../daemon/platform/events/packed.js';
import { eventData, type OwnEventType, ownEventTypes } from '../../../src/contract/events.js';
import { battlePassLevelRoutes } from '../../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassProgressRoutes } from '../../../src/contract/gameplay/battle-pass-progress.js';
import { battlePassRoutes } from '../../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../../src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../../src/contract/gameplay/players.js';
import { gatheringInvitationRoutes } from '../../../src/contract/gatherings/gathering-invitations.js';
import { gatheringMemberRoutes } from '../../../src/contract/gatherings/gathering-members.js';
import { gatheringRoutes } from '../../../src/contract/gatherings/gatherings.js';
import { reviewRoutes } from '../../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { blockRoutes } from '../../../src/contract/people/blocks.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { personMoveRoutes } from '../../../src/contract/people/person-moves.js';
import { personNoticeRoutes } from '../../../src/contract/people/person-notices.js';
import { pluginInstanceRoutes } from '../../../src/contract/plugins/plugins.js';
import { caseRoutes } from '../../../src/contract/reports/cases.js';
import { orderRoutes } from '../../../src/contract/reports/orders.js';
import { reporterRoutes } from '../../../src/contract/reports/reporters.js';
import { reportRoutes } from '../../../src/contract/reports/reports.js';
import { roomAnnouncementRoutes } from '../../../src/contract/rooms/room-announcements.js';
import { roomRestrictionRoutes } from '../../../src/contract/rooms/room-restrictions.js';
import { tokenRoutes } from '../../../src/contract/rooms/tokens.js';
import { ruleRoutes } from '../../../src/contract/rules/rules.js';
import { sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { Speaker } from '../../support/room-peers.js';
import { openStream, type RawFrame, type RawStream } from '../../support/stream.js';

const hourMs = 3_600_000;
const patienceMs = 90_000;
let daemon: TestDaemon;
let database: Database;
let receiver: Receiver;
/** Everything that is told of the project, from the beginning. */
let live: RawStream;
let aheadMs = 0;
beforeAll(async () => {
  daemon = await startDaemon({
    now: () => new Date(Date.now() + aheadMs),
    settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' },
  });
  database = await Database.connect(daemon.databaseUrl);
  receiver = await startReceiver();
  live = await openStream(streamUrl(), credential());
});
afterAll(async () => {
  live.close();
  await receiver.stop();
  await database.close();
  await daemon.stop();
});

const streamUrl = () => `${daemon.url}/api/projects/${daemon.projectId}/events/stream`;
const credential = () => ({ 'X-API-Key': daemon.apiKey });
/** The frames up to the first that holds the text. */
async function framesUntil(stream: RawStream, text: string): Promise<RawFrame[]> {
  const frames: RawFrame[] = [];
  for (;;) {
    const frame = await stream.next();
    frames.push(frame);
    if (JSON.stringify(frame.data).includes(text)) return frames;
  }
}
const params = () => ({ projectId: daemon.projectId });
const item = (id: string) => ({ ...params(), id });
const call: TestDaemon['client']['call'] = (route, input) => daemon.client.call(route, input);
const person = () => call(participantRoutes.create, { params: params(), body: { externalUserId: randomUUID() } });
const session = (autoStart = false) =>
  call(sessionRoutes.create, { params: params(), body: { title: 'Match', externalRoomId: randomUUID(), autoStart } });
const sanction = () =>
  call(sanctionRoutes.create, { params: params(), body: { type: 'warn', externalUserId: randomUUID() } });
const gathering = () => call(gatheringRoutes.create, { params: params(), body: { name: 'Lobby' } });
const member = async () => {
  const { id } = await gathering();
  const { id: participantId } = await person();
  await call(gatheringMemberRoutes.add, { params: item(id), body: { participantId } });
  return { id, participantId };
};
const invitation = async () => {
  const { id } = await gathering();
  const { id: participantId } = await person();
  const [sent] = await call(gatheringInvitationRoutes.send, {
    params: item(id),
    body: { participantIds: [participantId] },
  });
  return { invitationId: sent?.id ?? '', participantId };
};
const review = async () =>
  call(reviewRoutes.appeal, { params: item((await sanction()).id), body: { statement: 'It was not me.' } });
const block = () =>
  call(blockRoutes.create, { params: { ...params(), user: randomUUID() }, body: { blockedUserId: randomUUID() } });
const report = (who: { reporterUserId?: string; externalUserId: string } = { externalUserId: randomUUID() }) =>
  call(reportRoutes.create, { params: params(), body: { ...who, category: 'spam' } });
const unfounded = async (times: number) => {
  const reporterUserId = randomUUID();
  for (let index = 0; index < times; index += 1) {
    const { caseId } = await report({ reporterUserId, externalUserId: randomUUID() });
    const body = { decision: 'no_action', reasonCode: 'unfounded_reports' } as const;
    await call(caseRoutes.decide, { params: item(caseId ?? ''), body });
  }
};
const suspension = () =>
  call(reporterRoutes.update, {
    params: { ...params(), externalUserId: randomUUID() },
    body: { suspendedUntil: new Date(Date.now() + hourMs).toISOString(), decidedBy: 'person' },
  });
const order = () =>
  call(orderRoutes.create, {
    params: params(),
    body: {
      ...({ kind: 'act', authority: 'Amtsgericht Bonn', memberState: 'DE', reference: randomUUID() } as const),
      ...{ category: 'spam', legalGround: '§ 130 StGB', externalUserId: randomUUID() },
    },
  });
const subscription = (events: string[]) =>
  call(webhookRoutes.create, {
    params: params(),
    body: { url: receiver.url, secret: 'a long secret', events },
  });
const install = (pluginId: string) => call(pluginInstanceRoutes.create, { params: params(), body: { pluginId } });
const rule = () =>
  call(ruleRoutes.create, {
    params: params(),
    body: {
      name: randomUUID(),
      definition: {
        ...{ format: 1, mode: 'enforce', when: { all: [{ words: { any: ['hello'] } }] } },
        steps: [[{ webhook: { label: 'greeting' } }]],
      },
    },
  });
const activatedLevel = async (challenges: { name: string; eventName: 'kill-enemy'; goal: number }[]) => {
  const { id } = await call(battlePassRoutes.create, { params: params(), body: { name: 'Season' } });
  const level = await call(battlePassLevelRoutes.create, { params: item(id), body: { position: 1, challenges } });
  await call(battlePassProgressRoutes.unlock, { params: { ...item(id), userId: 'u1' }, body: {} });
  await call(battlePassProgressRoutes.activateLevel, { params: { ...item(level.id), userId: 'u1' } });
  return level;
};
const visit = async () => {
  const roomId = randomUUID();
  const { token } = await call(tokenRoutes.generateForProject, {
    params: params(),
    body: { roomId, userId: 'visitor' },
  });
  const authorization = { Authorization: `Bearer ${token}` };
  const speaker = new Speaker('visitor');
  let place = '';
  await speaker.join(async (offer) => {
    const headers = { ...authorization, 'Content-Type': 'application/sdp' };
    const answer = await fetch(`${daemon.url}/rooms/${roomId}/whip`, { method: 'POST', headers, body: offer });
    place = answer.headers.get('location') ?? '';
    return answer.text();
  });
  await told('participant.joined', 'visitor');
  await fetch(daemon.url + place, { method: 'DELETE', headers: authorization });
  speaker.close();
};

/** Kind → an operation that causes it. A kind that is missing here does not compile. */
const operations: Readonly<Record<OwnEventType, () => Promise<unknown>>> = {
  'session.created': () => session(),
  'session.updated': async () => call(sessionRoutes.stop, { params: item((await session()).id) }),
  'session.deleted': async () => call(sessionRoutes.remove, { params: item((await session()).id) }),
  'message.created': async () =>
    call(sessionRoutes.say, { params: item((await session()).id), body: { externalUserId: 'u1', content: 'hello' } }),
  'message.annotation.created': async () => {
    await install('sentiment');
    await call(sessionRoutes.say, {
      params: item((await session()).id),
      body: { externalUserId: 'u1', content: 'what a wonderful shot' },
    });
  },
  'session.annotation.created': async () => {
    await install('summary');
    const { id } = await session();
    await call(sessionRoutes.say, {
      params: item(id),
      body: { externalUserId: 'u1', content: 'we meet at the northern bridge before sunset' },
    });
    await call(sessionRoutes.stop, { params: item(id) });
  },
  'bot.status.changed': () => session(true),
  'participant.created': () => person(),
  'participant.updated': async () =>
    call(participantRoutes.update, { params: item((await person()).id), body: { displayName: 'Renamed' } }),
  'participant.deleted': async () => call(participantRoutes.remove, { params: item((await person()).id) }),
  'participant.moved': async () =>
    call(personMoveRoutes.move, {
      params: { ...params(), user: (await person()).id },
      body: { externalUserId: randomUUID() },
    }),
  'participant.joined': () => visit(),
  'participant.left': () => visit(),
  'room.restricted': () =>
    call(roomRestrictionRoutes.mute, { params: { ...params(), roomId: randomUUID() }, body: {} }),
  'room.announced': () =>
    call(roomAnnouncementRoutes.announce, { params: { ...params(), roomId: randomUUID() }, body: { text: 'Hello.' } }),
  'sanction.created': () => sanction(),
  'sanction.updated': async () =>
    call(sanctionRoutes.update, { params: item((await sanction()).id), body: { note: 'seen' } }),
  'sanction.revoked': async () => call(sanctionRoutes.revoke, { params: item((await sanction()).id), body: {} }),
  'review.created': () => review(),
  'review.updated': async () =>
    call(reviewRoutes.update, { params: item((await review()).id), body: { note: 'Seen.' } }),
  'participant.notified': () =>
    call(personNoticeRoutes.notify, { params: params(), body: { text: 'Sorry.', externalUserIds: [randomUUID()] } }),
  'block.created': () => block(),
  'block.deleted': async () => {
    const { externalUserId: user, blockedUserId } = await block();
    await call(blockRoutes.remove, { params: { ...params(), user, blockedUserId } });
  },
  'report.created': () => report(),
  'report.updated': async () => {
    const reporterUserId = randomUUID();
    const externalUserId = randomUUID();
    await report({ reporterUserId, externalUserId });
    await report({ reporterUserId, externalUserId });
  },
  'case.created': () => report(),
  'case.updated': async () => {
    const { caseId } = await report();
    await call(caseRoutes.claim, { params: item(caseId ?? '') });
  },
  'case.overdue': async () => {
    await report();
    aheadMs += 25 * hourMs;
    await daemon.restart();
  },
  'misuse.warned': () => unfounded(2),
  'misuse.proposed': () => unfounded(4),
  'misuse.suspended': () => suspension(),
  'misuse.lifted': async () => {
    const { externalUserId } = await suspension();
    await call(reporterRoutes.update, { params: { ...params(), externalUserId }, body: { suspendedUntil: null } });
  },
  'order.created': () => order(),
  'order.updated': async () =>
    call(orderRoutes.update, { params: item((await order()).id), body: { outcome: 'effect_given' } }),
  'gathering.created': () => gathering(),
  'gathering.updated': async () =>
    call(gatheringRoutes.update, { params: item((await gathering()).id), body: { description: 'ranked' } }),
  'gathering.started': async () => call(gatheringRoutes.start, { params: item((await gathering()).id), body: {} }),
  'gathering.ended': async () => {
    const { id } = await gathering();
    await call(gatheringRoutes.start, { params: item(id), body: {} });
    await call(gatheringRoutes.end, { params: item(id) });
  },
  'gathering.cancelled': async () => call(gatheringRoutes.cancel, { params: item((await gathering()).id) }),
  'gathering.expired': async () => {
    await gathering();
    aheadMs += 25 * hourMs; // without members for a day
  },
  'gathering.member.joined': () => member(),
  'gathering.member.ready': async () => {
    const { id, participantId } = await member();
    await call(gatheringMemberRoutes.update, {
      params: { ...item(id), memberId: participantId },
      body: { ready: true },
    });
  },
  'gathering.member.left': async () => {
    const { id, participantId } = await member();
    await call(gatheringMemberRoutes.remove, { params: { ...item(id), memberId: participantId } });
  },
  'gathering.invitation.sent': () => invitation(),
  'gathering.invitation.accepted': async () => {
    const { invitationId, participantId } = await invitation();
    await call(gatheringInvitationRoutes.accept, { params: { ...params(), invitationId }, body: { participantId } });
  },
  'gathering.invitation.declined': async () => {
    const { invitationId } = await invitation();
    await call(gatheringInvitationRoutes.decline, { params: { ...params(), invitationId } });
  },
  'rule.created': () => rule(),
  'rule.updated': async () => call(ruleRoutes.update, { params: item((await rule()).id), body: { enabled: false } }),
  'rule.deleted': async () => call(ruleRoutes.remove, { params: item((await rule()).id) }),
  'rule.matched': async () => {
    await rule();
    const body = { externalUserId: 'u1', content: 'Hello, world' };
    await call(sessionRoutes.say, { params: item((await session()).id), body });
  },
  'webhook.test': async () => {
    const { id } = await subscription(['session.*']);
    await call(webhookRoutes.test, { params: item(id) });
  },
  'webhook.delivery.updated': async () => {
    await subscription(['participant.created']);
    await person();
  },
  'webhook.subscription.disabled': async () => {
    receiver.answer = 410;
    await subscription(['participant.created']);
    await person();
  },
  'challenge.changed': async () => {
    const body = { name: 'One', eventName: 'kill-enemy', goal: 1 };
    const { id } = await call(challengeRoutes.create, { params: params(), body });
    await call(playerRoutes.unlock, { params: { ...item(id), userId: 'u1' } });
  },
  'battlepass.challenge.changed': () => activatedLevel([{ name: 'One', eventName: 'kill-enemy', goal: 1 }]),
  'battlepass.level.claimed': async () => {
    const { id } = await activatedLevel([]);
    await call(battlePassProgressRoutes.claimLevel, { params: { ...item(id), userId: 'u1' } });
  },
  'battlepass.expired': () =>
    call(battlePassRoutes.create, { params: params(), body: { name: 'Over', endDate: '2026-01-01T00:00:00Z' } }),
  'leaderboard.changed': async () => {
    await call(leaderboardRoutes.create, { params: params(), body: { name: 'Kills', eventName: 'kill-enemy' } });
    const body = { event_name: 'kill-enemy', meta_data: { amount: 1 } };
    await call(playerRoutes.sendEvent, { params: { ...params(), userId: 'u1' }, body });
  },
  'audit.recorded': () => sanction(),
  'consumer.gap': async () => {
    await person();
    const updatedAt = new Date(Date.now() - 30 * 24 * hourMs);
    await database.transaction((tx) =>
      tx.cursor.create({ data: { name: 'a subscriber that sleeps', position: 0n, enabled: true, updatedAt } }),
    );
    aheadMs += 31 * 24 * hourMs;
    await daemon.restart();
  },
};

const events = async (type: OwnEventType) => {
  const rows = await database.read.domainEvent.findMany({ where: { type }, orderBy: { position: 'asc' } });
  return rows.map(({ payload }) => JSON.parse(unpacked(payload)));
};
const told = (type: OwnEventType, text = '') =>
  eventually(async () => {
    const found = (await events(type)).filter(({ data }) => JSON.stringify(data).includes(text));
    expect(found).not.toEqual([]);
    return found;
  }, patienceMs);

describe('an operation causes', { timeout: 200_000 }, () => {
  // Events for which the clock is moved come last.
  const late: readonly OwnEventType[] = ['gathering.expired', 'case.overdue', 'consumer.gap'];
  const soon = ownEventTypes.filter((type) => !late.includes(type));
  const announces = async (type: OwnEventType) => {
    await operations[type]();
    for (const { action, data, changes } of await told(type)) {
      expect(() => eventData[type].parse(data)).not.toThrow();
      if (type.endsWith('.updated'))
        expect({ action, changes }).toEqual({ action: 'updated', changes: expect.any(Object) });
    }
  };

  it.each(soon)('%s', announces);

  it('events that are told as they happen, each as it is told again later', async () => {
    const { externalUserId } = await person();
    const [first, ...others] = await framesUntil(live, externalUserId);
    const again = await openStream(streamUrl(), { ...credential(), 'Last-Event-ID': first?.id ?? '' });
    const stored = await framesUntil(again, externalUserId);
    again.close();
    const isErased = ({ id }: RawFrame) => JSON.stringify(stored.find((one) => one.id === id)).includes('"redacted":');
    expect(others.length).toBeGreaterThan(soon.length);
    expect(others.filter((one) => !isErased(one))).toEqual(stored.filter((one) => !isErased(one)));
  });

  it.each(late)('%s', announces);
});
