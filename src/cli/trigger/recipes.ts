/** Recipes that cause each domain event for real. A recipe returns an id that the event contains. */
import type { OwnEventType } from '../../contract/events.js';
import { type BattlePassLevel, battlePassLevelRoutes } from '../../contract/gameplay/battle-pass-levels.js';
import { battlePassProgressRoutes } from '../../contract/gameplay/battle-pass-progress.js';
import { challengeRoutes } from '../../contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../contract/gameplay/players.js';
import { gatheringInvitationRoutes } from '../../contract/gatherings/gathering-invitations.js';
import { gatheringMemberRoutes } from '../../contract/gatherings/gathering-members.js';
import { gatheringRoutes } from '../../contract/gatherings/gatherings.js';
import { reviewRoutes } from '../../contract/moderation/reviews.js';
import { sanctionRoutes } from '../../contract/moderation/sanctions.js';
import { blockRoutes } from '../../contract/people/blocks.js';
import { participantRoutes } from '../../contract/people/participants.js';
import { personMoveRoutes } from '../../contract/people/person-moves.js';
import { personNoticeRoutes } from '../../contract/people/person-notices.js';
import { caseRoutes } from '../../contract/reports/cases.js';
import { orderRoutes } from '../../contract/reports/orders.js';
import { reporterRoutes } from '../../contract/reports/reporters.js';
import { reportRoutes } from '../../contract/reports/reports.js';
import { roomAnnouncementRoutes } from '../../contract/rooms/room-announcements.js';
import { roomRestrictionRoutes } from '../../contract/rooms/room-restrictions.js';
import { sessionRoutes } from '../../contract/sessions/sessions.js';
import { webhookRoutes } from '../../contract/webhooks/webhooks.js';
import { daemonNow } from '../typed/daemon-clock.js';
import { annotatedMessage, annotatedSession } from './annotated.js';
import { disabledByReceiver } from './gone-receiver.js';
import { enterAndLeave } from './presence.js';
import { createdRule, deletedRule, matchedRule, updatedRule } from './ruled.js';
import type { Scratch } from './scratch.js';

/** Far beyond the hour after which an appointment expires. */
const longAgoMs = 24 * 3_600_000;
const minuteMs = 60_000;

type Recipe = (scratch: Scratch) => Promise<string>;

async function sanctioned(scratch: Scratch): Promise<string> {
  const { externalUserId } = await scratch.person();
  const body = { type: 'mute', externalUserId, duration: 60, reason: scratch.name } as const;
  return (await scratch.client.call(sanctionRoutes.create, { ...scratch.inProject, body })).id;
}

async function appealed(scratch: Scratch): Promise<string> {
  const sanction = await sanctioned(scratch);
  const body = { statement: scratch.name };
  return (await scratch.client.call(reviewRoutes.appeal, { ...scratch.at(sanction), body })).id;
}

async function blocked({ client, projectId, name: user }: Scratch): Promise<string> {
  const body = { blockedUserId: `${user}-other` };
  await client.call(blockRoutes.create, { params: { projectId, user }, body });
  return user;
}

async function reported(scratch: Scratch, reporterUserId?: string): Promise<string> {
  const { externalUserId } = await scratch.person();
  const body = { reporterUserId, externalUserId, category: 'other', words: scratch.name };
  const { id } = await scratch.client.call(reportRoutes.create, { ...scratch.inProject, body });
  if (reporterUserId !== undefined) await scratch.client.call(reportRoutes.create, { ...scratch.inProject, body });
  return id;
}

async function caseOfReport(scratch: Scratch): Promise<string> {
  const params = { projectId: scratch.projectId, id: await reported(scratch) };
  return (await scratch.client.call(reportRoutes.get, { params })).caseId ?? '';
}

/** So many times. */
async function misused(scratch: Scratch, times: number): Promise<string> {
  const reporter = `${scratch.name}-reporter`;
  for (let index = 0; index < times; index += 1) {
    const params = { projectId: scratch.projectId, id: await reported(scratch, reporter) };
    const { caseId } = await scratch.client.call(reportRoutes.get, { params });
    const body = { decision: 'no_action', reasonCode: 'unfounded_reports' } as const;
    await scratch.client.call(caseRoutes.decide, { ...scratch.at(caseId ?? ''), body });
  }
  return reporter;
}

async function suspended({ client, projectId, name }: Scratch): Promise<string> {
  const externalUserId = `${name}-reporter`;
  const suspendedUntil = new Date(daemonNow().getTime() + minuteMs).toISOString();
  const body = { suspendedUntil, decidedBy: 'person' } as const;
  await client.call(reporterRoutes.update, { params: { projectId, externalUserId }, body });
  return externalUserId;
}

async function ordered(scratch: Scratch): Promise<string> {
  const { externalUserId } = await scratch.person();
  const body = {
    ...({ kind: 'act', authority: scratch.name, memberState: 'DE', reference: crypto.randomUUID() } as const),
    ...{ category: 'other', legalGround: scratch.name, externalUserId },
  };
  return (await scratch.client.call(orderRoutes.create, { ...scratch.inProject, body })).id;
}

async function seated(scratch: Scratch): Promise<{ gatheringId: string; participantId: string }> {
  const { id: gatheringId } = await scratch.gathering();
  const { id: participantId } = await scratch.person();
  await scratch.client.call(gatheringMemberRoutes.add, { ...scratch.at(gatheringId), body: { participantId } });
  return { gatheringId, participantId };
}
const member = ({ projectId }: Scratch, { gatheringId, participantId }: Awaited<ReturnType<typeof seated>>) => ({
  params: { projectId, id: gatheringId, memberId: participantId },
});

async function invited(scratch: Scratch): Promise<{ id: string; participantId: string }> {
  const { id: gathering } = await scratch.gathering();
  const { id: participantId } = await scratch.person();
  const body = { participantIds: [participantId] };
  const [made] = await scratch.client.call(gatheringInvitationRoutes.send, { ...scratch.at(gathering), body });
  if (made === undefined) throw new Error('The daemon answered without an invitation.');
  return { id: made.id, participantId };
}
const invitation = ({ projectId }: Scratch, invitationId: string) => ({ params: { projectId, invitationId } });

const killThree = { name: { en: 'Three down' }, eventName: 'kill-enemy' as const, goal: 3 };
const ofPlayer = ({ projectId, name }: Scratch, id: string) => ({ params: { projectId, userId: `${name}-a`, id } });

/** The only level of a pass that somebody has unlocked. Without challenges it is completed at once. */
async function activatedLevel(scratch: Scratch, challenges: (typeof killThree)[]): Promise<BattlePassLevel> {
  const { id: pass } = await scratch.battlePass();
  const body = { position: 1, challenges };
  const level = await scratch.client.call(battlePassLevelRoutes.create, { ...scratch.at(pass), body });
  await scratch.client.call(battlePassProgressRoutes.unlock, { ...ofPlayer(scratch, pass), body: {} });
  await scratch.client.call(battlePassProgressRoutes.activateLevel, ofPlayer(scratch, level.id));
  return level;
}

/** Sends a test event to an address that does not exist, so that the failed attempt is announced. */
async function webhookTest(scratch: Scratch): Promise<string> {
  const { id } = await scratch.webhook('https://receiver.invalid/');
  return (await scratch.client.call(webhookRoutes.test, scratch.at(id))).eventId;
}

/** Events that only time can cause, and how long that takes. */
export const onlyByTime: Readonly<Partial<Record<OwnEventType, string>>> = {
  'audit.recorded': 'a change by a user, a key or the operator, on streams of the whole tenant',
  'case.overdue': 'a case that nobody decides within the service goal of its category',
  'consumer.gap': 'a plugin or rule that was stopped for longer than a week',
};

export const recipes: Readonly<Partial<Record<OwnEventType, Recipe>>> = {
  'session.created': async (scratch) => (await scratch.session()).id,
  'session.updated': async (scratch) => {
    const { id } = await scratch.session();
    await scratch.client.call(sessionRoutes.stop, scratch.at(id));
    return id;
  },
  'session.deleted': async (scratch) => {
    const { id } = await scratch.session();
    await scratch.client.call(sessionRoutes.remove, scratch.at(id));
    return id;
  },
  'bot.status.changed': async (scratch) => (await scratch.session(true)).id,
  'message.created': async (scratch) => {
    const { id } = await scratch.session();
    const { externalUserId } = await scratch.person();
    const body = { externalUserId, content: `Hello from ${scratch.name}` };
    return (await scratch.client.call(sessionRoutes.say, { ...scratch.at(id), body })).id;
  },
  'message.annotation.created': annotatedMessage,
  'session.annotation.created': annotatedSession,
  'participant.created': async (scratch) => (await scratch.person()).id,
  'participant.updated': async (scratch) => {
    const { id } = await scratch.person();
    await scratch.client.call(participantRoutes.update, { ...scratch.at(id), body: { displayName: 'Somebody else' } });
    return id;
  },
  'participant.moved': async (scratch) => {
    const { id, externalUserId } = await scratch.person();
    const params = { projectId: scratch.projectId, user: id };
    await scratch.client.call(personMoveRoutes.move, { params, body: { externalUserId: `${externalUserId}-new` } });
    return id;
  },
  'participant.deleted': async (scratch) => {
    const { id } = await scratch.person();
    await scratch.client.call(participantRoutes.remove, scratch.at(id));
    return id;
  },
  'participant.joined': enterAndLeave,
  'participant.left': enterAndLeave,
  'room.restricted': async (scratch) => {
    const params = { projectId: scratch.projectId, roomId: scratch.name };
    await scratch.client.call(roomRestrictionRoutes.mute, { params, body: {} });
    await scratch.client.call(roomRestrictionRoutes.unmute, { params });
    return scratch.name;
  },
  'room.announced': async (scratch) => {
    const params = { projectId: scratch.projectId, roomId: scratch.name };
    await scratch.client.call(roomAnnouncementRoutes.announce, { params, body: { text: 'A round begins.' } });
    return scratch.name;
  },
  'sanction.created': sanctioned,
  'sanction.updated': async (scratch) => {
    const id = await sanctioned(scratch);
    await scratch.client.call(sanctionRoutes.update, { ...scratch.at(id), body: { note: scratch.name } });
    return id;
  },
  'sanction.revoked': async (scratch) => {
    const id = await sanctioned(scratch);
    await scratch.client.call(sanctionRoutes.revoke, { ...scratch.at(id), body: {} });
    return id;
  },
  'rule.created': createdRule,
  'rule.updated': updatedRule,
  'rule.deleted': deletedRule,
  'rule.matched': matchedRule,
  'review.created': appealed,
  'review.updated': async (scratch) => {
    const id = await appealed(scratch);
    await scratch.client.call(reviewRoutes.update, { ...scratch.at(id), body: { note: scratch.name } });
    return id;
  },
  'case.created': (scratch) => caseOfReport(scratch),
  'case.updated': async (scratch) => {
    const id = await caseOfReport(scratch);
    await scratch.client.call(caseRoutes.claim, scratch.at(id));
    return id;
  },
  'participant.notified': async (scratch) => {
    const { externalUserId } = await scratch.person();
    const body = { text: scratch.name, externalUserIds: [externalUserId] };
    await scratch.client.call(personNoticeRoutes.notify, { ...scratch.inProject, body });
    return externalUserId;
  },
  'block.created': (scratch) => blocked(scratch),
  'block.deleted': async (scratch) => {
    const user = await blocked(scratch);
    const params = { projectId: scratch.projectId, user, blockedUserId: `${scratch.name}-other` };
    await scratch.client.call(blockRoutes.remove, { params });
    return user;
  },
  'order.created': ordered,
  'order.updated': async (scratch) => {
    const id = await ordered(scratch);
    await scratch.client.call(orderRoutes.update, { ...scratch.at(id), body: { outcome: 'no_effect' } });
    return id;
  },
  'misuse.warned': (scratch) => misused(scratch, 2),
  'misuse.proposed': (scratch) => misused(scratch, 4),
  'misuse.suspended': (scratch) => suspended(scratch),
  'misuse.lifted': async (scratch) => {
    const externalUserId = await suspended(scratch);
    const params = { projectId: scratch.projectId, externalUserId };
    await scratch.client.call(reporterRoutes.update, { params, body: { suspendedUntil: null } });
    return externalUserId;
  },
  'report.created': (scratch) => reported(scratch),
  'report.updated': (scratch) => reported(scratch, `${scratch.name}-reporter`),
  'gathering.created': async (scratch) => (await scratch.gathering()).id,
  'gathering.updated': async (scratch) => {
    const { id } = await scratch.gathering();
    const body = { description: 'Changed' };
    return (await scratch.client.call(gatheringRoutes.update, { ...scratch.at(id), body })).id;
  },
  'gathering.started': async (scratch) => {
    const { id } = await scratch.gathering();
    return (await scratch.client.call(gatheringRoutes.start, { ...scratch.at(id), body: {} })).id;
  },
  'gathering.ended': async (scratch) => {
    const { id } = await scratch.gathering();
    await scratch.client.call(gatheringRoutes.start, { ...scratch.at(id), body: {} });
    return (await scratch.client.call(gatheringRoutes.end, scratch.at(id))).id;
  },
  'gathering.cancelled': async (scratch) => {
    const { id } = await scratch.gathering();
    await scratch.client.call(gatheringRoutes.cancel, scratch.at(id));
    return id;
  },
  // An appointment whose end has passed expires at once.
  'gathering.expired': async (scratch) => {
    const endsAt = new Date(daemonNow().getTime() - longAgoMs).toISOString();
    return (await scratch.gathering({ type: 'appointment', endsAt })).id;
  },
  'gathering.member.joined': async (scratch) => (await seated(scratch)).gatheringId,
  'gathering.member.ready': async (scratch) => {
    const seat = await seated(scratch);
    await scratch.client.call(gatheringMemberRoutes.update, { ...member(scratch, seat), body: { ready: true } });
    return seat.gatheringId;
  },
  'gathering.member.left': async (scratch) => {
    const seat = await seated(scratch);
    await scratch.client.call(gatheringMemberRoutes.remove, member(scratch, seat));
    return seat.gatheringId;
  },
  'gathering.invitation.sent': async (scratch) => (await invited(scratch)).id,
  'gathering.invitation.accepted': async (scratch) => {
    const { id, participantId } = await invited(scratch);
    const body = { participantId };
    await scratch.client.call(gatheringInvitationRoutes.accept, { ...invitation(scratch, id), body });
    return id;
  },
  'gathering.invitation.declined': async (scratch) => {
    const { id } = await invited(scratch);
    await scratch.client.call(gatheringInvitationRoutes.decline, invitation(scratch, id));
    return id;
  },
  'webhook.delivery.updated': webhookTest,
  'webhook.test': webhookTest,
  'webhook.subscription.disabled': disabledByReceiver,
  'challenge.changed': async (scratch) => {
    const body = { name: { en: scratch.name }, eventName: 'kill-enemy' as const, goal: 3 };
    const { id } = await scratch.client.call(challengeRoutes.create, { ...scratch.inProject, body });
    const params = { projectId: scratch.projectId, userId: `${scratch.name}-a`, id };
    await scratch.client.call(playerRoutes.unlock, { params });
    return id;
  },
  'battlepass.challenge.changed': async (scratch) =>
    (await activatedLevel(scratch, [killThree])).challenges[0]?.id ?? '',
  'battlepass.level.claimed': async (scratch) => {
    const { id } = await activatedLevel(scratch, []);
    await scratch.client.call(battlePassProgressRoutes.claimLevel, ofPlayer(scratch, id));
    return id;
  },
  'battlepass.expired': async (scratch) =>
    (await scratch.battlePass({ endDate: new Date(daemonNow().getTime() - longAgoMs).toISOString() })).id,
  'leaderboard.changed': async (scratch) => {
    const body = { name: { en: scratch.name }, eventName: 'kill-enemy' as const };
    const { id } = await scratch.client.call(leaderboardRoutes.create, { ...scratch.inProject, body });
    const params = { projectId: scratch.projectId, userId: `${scratch.name}-a` };
    const event = { event_name: 'kill-enemy', meta_data: { amount: 1 } };
    await scratch.client.call(playerRoutes.sendEvent, { params, body: event });
    return id;
  },
};
