/** One event of each kind, as far as a line of a terminal shows it. */
import type { OwnEventType } from '../../src/contract/events.js';

const bot = { state: 'listening', cause: null };
const session = { id: 's1', externalRoomId: 'demo', title: 'Evening', status: 'active', bot };
const message = {
  timestamp: '2026-01-01T18:04:05.000Z',
  ...{ id: 'm1', sessionId: 's1', type: 'user', senderName: 'Bob', externalUserId: 'u1', participantId: 'p1' },
  ...{ content: 'Go forward ten meters, and then wait for me.', status: 'recognised', shadowMuted: false },
};
const annotation = { pluginSlug: 'toxicity', type: 'toxicity', content: { label: 'threat' }, sessionId: 's1' };
const participant = { id: 'p1', externalUserId: 'u1', displayName: 'Bob' };
const presence = { ...participant, roomId: 'demo', sessionId: 's1', reason: null, occurredAt: null };
const sanction = {
  ...{ id: 'x1', type: 'mute', duration: 600, reason: 'shouting', createdByUserId: 'm1', externalUserId: 'u1' },
  ...{ sessionId: null, revokedByUserId: null, revokeReason: null, participant },
};
const gathering = {
  ...{ id: 'g1', name: 'Friday raid', status: 'STARTED', memberCount: 3, maxMembers: 8, roomId: 'raid' },
};
const member = { gatheringId: 'g1', memberCount: 3, member: { displayName: 'Ann' } };
const invitation = { gatheringId: 'g1', participantId: 'p1' };
const review = {
  ...{ id: 'r1', kind: 'appeal', status: 'open', decision: null, statement: 'I was only singing.' },
  ...{ externalUserId: 'u2', claimedByUserId: null, decidedByUserId: null },
};
const report = { id: 'o1', category: 'threats', status: 'open', outcome: null, externalUserId: 'u2', roomId: 'demo' };
const moderated = {
  id: 'k1',
  category: 'threats',
  status: 'open',
  externalUserId: 'u2',
  decision: null,
  reasonCode: null,
};
const caseOf = { ...moderated, decidedByUserId: null, claimedByUserId: null };
const order = {
  ...{ id: 'a7', kind: 'act', memberState: 'DE', category: 'hate' },
  ...{ status: 'open', outcome: null },
};
const rule = { id: 'l1', name: 'threats', enabled: true };
const progress = { user_id: 'u1', type: 'in-progress', user_challenge_current_score: 2 };

export const samples: Readonly<Record<OwnEventType, object>> = {
  'session.created': session,
  'session.updated': { ...session, status: 'ended' },
  'session.deleted': { id: 's1' },
  'message.created': message,
  'message.annotation.created': { ...annotation, externalUserId: 'u1' },
  'session.annotation.created': { ...annotation, type: 'summary', content: { score: 3 } },
  'webhook.delivery.updated': { status: 'pending', eventType: 'sanction.created', lastError: 'answered 503' },
  'webhook.subscription.disabled': { url: 'https://hooks.example/earshot', disabledReason: 'gone' },
  'webhook.test': { id: 'w1', message: 'A test.' },
  'consumer.gap': { id: 'plugins', missed: 12 },
  'participant.created': participant,
  'participant.updated': participant,
  'participant.deleted': { id: 'p1' },
  'participant.moved': { ...participant, movedFrom: 'u0', joinedId: null },
  'participant.joined': presence,
  'participant.left': { ...presence, reason: 'kicked' },
  'room.restricted': { roomId: 'lobby', muted: null, closed: { since: '2026-01-01T12:00:00.000Z', until: null } },
  'room.announced': { roomId: 'lobby', id: 'a1', text: 'The final begins at nine.', sessionId: null },
  'sanction.created': sanction,
  'sanction.updated': { ...sanction, duration: 5_400, reason: '' },
  'sanction.revoked': { ...sanction, revokedByUserId: 'm1', revokeReason: 'a mistake' },
  'gathering.created': { ...gathering, status: 'CREATED' },
  'gathering.updated': gathering,
  'gathering.started': gathering,
  'gathering.ended': { ...gathering, status: 'ENDED' },
  'gathering.cancelled': { ...gathering, status: 'CANCELLED' },
  'gathering.expired': { ...gathering, status: 'EXPIRED' },
  'gathering.member.joined': member,
  'gathering.member.ready': member,
  'gathering.member.left': member,
  'gathering.invitation.sent': { ...invitation, status: 'pending' },
  'gathering.invitation.accepted': { ...invitation, status: 'accepted' },
  'gathering.invitation.declined': { ...invitation, status: 'declined' },
  'review.created': review,
  'review.updated': { ...review, status: 'decided', decision: 'overturned', decidedByUserId: 'm1' },
  'participant.notified': { externalUserId: 'u3', id: 'n1', text: 'Your ban was a mistake and is lifted.' },
  'block.created': { externalUserId: 'u3' },
  'block.deleted': { externalUserId: 'u3' },
  'report.created': report,
  'report.updated': { ...report, status: 'decided', outcome: 'action_taken' },
  'case.created': caseOf,
  'case.updated': {
    ...caseOf,
    status: 'decided',
    decision: 'sanction',
    reasonCode: 'violation',
    decidedByUserId: 'm1',
  },
  'case.overdue': caseOf,
  'order.created': order,
  'order.updated': { ...order, status: 'decided', outcome: 'effect_given' },
  'misuse.warned': { externalUserId: 'u3', of: 'reports', suspendedUntil: null },
  'misuse.proposed': {
    ...{ externalUserId: 'u3', of: 'reports', decided: 6, unfounded: 4 },
    proposedUntil: '2026-01-08T12:00:00.000Z',
  },
  'misuse.suspended': { externalUserId: 'u3', of: 'appeals', suspendedUntil: '2026-01-08T12:00:00.000Z' },
  'misuse.lifted': { externalUserId: 'u3', of: 'appeals', suspendedUntil: null },
  'rule.created': rule,
  'rule.updated': { ...rule, enabled: false },
  'rule.deleted': { id: 'l1' },
  'rule.matched': { externalUserId: 'u1', ruleName: 'threats', label: 'threat', sanctionIds: ['x1'] },
  'bot.status.changed': { ...session, bot: { state: 'listening', cause: 'no_speech' } },
  'challenge.changed': { new_challenge: { ...progress, challenge_goal: 5 } },
  'battlepass.challenge.changed': { new_battle_pass_challenge: { ...progress, challenge_goal: 5 } },
  'battlepass.level.claimed': {
    battle_pass_level_reward_claimed: { user_id: 'u1', level_position_index: 2, reward_amount: '50 gold' },
  },
  'battlepass.expired': { new_battle_pass: { battle_pass_id: 'b1' } },
  'leaderboard.changed': {
    member_data: { member_id: 'u1', additional_info: {} },
    leaderboard_data: { name: 'Kills' },
    new_leaderboard_ranking: { rank: 1, score: 120 },
  },
  'audit.recorded': {
    actor: { kind: 'user', name: 'mod@example.com' },
    ...{ action: 'createSanction', outcome: 'done', targets: [{ kind: 'person', id: 'u1', name: 'Bob' }] },
  },
};
