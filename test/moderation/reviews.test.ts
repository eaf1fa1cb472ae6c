import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { reviewRoutes, type UpdateReviewRequest } from '../../src/contract/moderation/reviews.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { reporterRoutes } from '../../src/contract/reports/reporters.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { transparencyRoutes } from '../../src/contract/stats/transparency.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
let now = new Date('2026-01-01T00:00:00.000Z');
let sessionId: string;
beforeAll(async () => {
  daemon = await startDaemon({ now: () => now });
  const body = { title: 'Match', externalRoomId: 'arena', autoStart: false };
  ({ id: sessionId } = await daemon.client.call(sessionRoutes.create, { params: params(), body }));
});
afterAll(() => daemon.stop());

const params = () => ({ projectId: daemon.projectId });
const item = (id: string) => ({ params: { ...params(), id } });
const sanction = (body: CreateSanctionRequest) => daemon.client.call(sanctionRoutes.create, { params: params(), body });
const answer = 'We listened to it again.';
const appeal = (id: string, statement = 'It was not me.') =>
  daemon.client.call(reviewRoutes.appeal, { ...item(id), body: { statement } });
/** By a person: an API key imposed the sanctions, and decides no appeal. */
const move = (id: string, body: UpdateReviewRequest, client = daemon.admin) =>
  client.call(reviewRoutes.update, { ...item(id), body });
const read = (id: string, client = daemon.client) => client.call(reviewRoutes.get, item(id));
const say = async (externalUserId: string, content: string) => {
  const spoken = await daemon.client.call(sessionRoutes.say, {
    params: { ...params(), id: sessionId },
    body: { externalUserId, content },
  });
  now = new Date(now.getTime() + 20_000);
  return spoken.id;
};

let person: string;
let count = 0;
beforeEach(() => {
  count += 1;
  person = `u${count}`;
});

describe('a human_review', () => {
  it('opens a review that shows its evidence and the minute around it', async () => {
    const before = await say(person, 'long before');
    now = new Date(now.getTime() + 60_000);
    await say('somebody', 'before');
    const named = await say(person, 'the words');
    await say('somebody', 'behind');
    now = new Date(now.getTime() + 60_000);
    const { id: sanctionId } = await sanction({
      type: 'human_review',
      externalUserId: person,
      reason: 'please look',
      evidence: { messageIds: [named] },
    });
    const list = await daemon.client.call(reviewRoutes.list, { params: params(), query: { externalUserId: person } });
    expect(list).toMatchObject({ total: 1, reviews: [{ kind: 'human_review', status: 'open', sanctionId }] });
    const detail = await read(list.reviews[0]?.id ?? '');
    expect(detail.sanction).toMatchObject({ id: sanctionId, isActive: true });
    expect(detail.messages.map(({ content }) => content)).toEqual(['the words']);
    expect(detail.transcript.map(({ content }) => content)).toEqual(['before', 'the words', 'behind']);
    expect(detail.transcript.map(({ id }) => id)).not.toContain(before);
  });

  it('shows the last words of the person where none were named, and what came of it', async () => {
    await say(person, 'last words');
    await sanction({ type: 'human_review', externalUserId: person });
    const { reviews } = await daemon.client.call(reviewRoutes.list, {
      params: params(),
      query: { externalUserId: person },
    });
    const reviewId = reviews[0]?.id ?? '';
    const { id } = await sanction({ type: 'mute', externalUserId: person, evidence: { reviewId } });
    const detail = await read(reviewId);
    expect(detail.transcript.map(({ content }) => content)).toContain('last words');
    expect(detail.consequences).toMatchObject([{ id, type: 'mute' }]);
  });

  it('keeps the words from a key that may not read transcripts', async () => {
    await say(person, 'private words');
    await sanction({ type: 'human_review', externalUserId: person });
    const limited = await daemon.clientWith(['plugins:read']);
    const { reviews } = await limited.call(reviewRoutes.list, { params: params(), query: { externalUserId: person } });
    const detail = await read(reviews[0]?.id ?? '', limited);
    expect(detail.sanction?.externalUserId).toBe(person);
    expect(JSON.stringify(detail)).not.toContain('private words');
  });
});

describe('an appeal', () => {
  it('points at the sanction, and takes it back when it is granted', async () => {
    const { id: sanctionId } = await sanction({ type: 'temp_ban', externalUserId: person, duration: 600 });
    const { id } = await appeal(sanctionId);
    expect(await move(id, { status: 'claimed' })).toMatchObject({ kind: 'appeal', status: 'claimed' });
    const decided = await move(id, { status: 'decided', decision: 'overturned', note: 'wrong person', answer });
    expect(decided).toMatchObject({ status: 'decided', decision: 'overturned', note: 'wrong person', answer });
    expect(await daemon.client.call(sanctionRoutes.get, item(sanctionId))).toMatchObject({ status: 'revoked' });
  });

  it('leaves the sanction when it is turned down', async () => {
    const { id: sanctionId } = await sanction({ type: 'mute', externalUserId: person });
    const { id } = await appeal(sanctionId);
    await move(id, { status: 'claimed' });
    await move(id, { status: 'decided', decision: 'upheld', answer });
    expect(await daemon.client.call(sanctionRoutes.get, item(sanctionId))).toMatchObject({ status: 'active' });
  });

  it('is decided by a person who did not impose the sanction, with an answer', async () => {
    const own = await daemon.admin.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'mute', externalUserId: person },
    });
    const { id } = await appeal(own.id);
    const refused = (code: string, status: number) => ({ status, code });
    await expect(move(id, { status: 'claimed' })).rejects.toMatchObject(refused('appeal_own_sanction', 403));
    const byKey = move(id, { status: 'claimed' }, daemon.client);
    await expect(byKey).rejects.toMatchObject(refused('appeal_person_required', 403));
    const { id: other } = await appeal((await sanction({ type: 'warn', externalUserId: person })).id);
    await move(other, { status: 'claimed' });
    const unanswered = move(other, { status: 'decided', decision: 'upheld' });
    await expect(unanswered).rejects.toMatchObject(refused('appeal_answer_required', 400));
  });

  it('is made once, while the sanction is active', async () => {
    const { id } = await sanction({ type: 'mute', externalUserId: person });
    const answers = await Promise.allSettled([appeal(id), appeal(id), appeal(id)]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(appeal(id)).rejects.toMatchObject({ status: 409, code: 'sanction_already_appealed' });
    const { id: over } = await sanction({ type: 'mute', externalUserId: person });
    await daemon.client.call(sanctionRoutes.revoke, { ...item(over), body: {} });
    await expect(appeal(over)).rejects.toMatchObject({ status: 409, code: 'sanction_not_active' });
    await expect(appeal('nothing')).rejects.toMatchObject({ status: 404, code: 'sanction_not_found' });
  });
});

describe('PATCH …/reviews/{id}', () => {
  const opened = async () => {
    const { id: sanctionId } = await sanction({ type: 'human_review', externalUserId: person });
    const { reviews } = await daemon.client.call(reviewRoutes.list, { params: params(), query: { sanctionId } });
    return reviews[0]?.id ?? '';
  };

  it('lets whoever claimed it decide and give it back, and nobody else', async () => {
    const id = await opened();
    const other = daemon.client;
    await move(id, { status: 'claimed' });
    await expect(move(id, { status: 'claimed' }, other)).rejects.toMatchObject({ status: 409, code: 'review_claimed' });
    await expect(move(id, { status: 'decided', decision: 'upheld' }, other)).rejects.toMatchObject({
      code: 'review_claimed',
    });
    expect(await move(id, { status: 'open' })).toMatchObject({ status: 'open', claimedByUserId: null });
    expect(await move(id, { status: 'claimed' }, other)).toMatchObject({ status: 'claimed' });
  });

  it('decides once, after a claim, with a decision', async () => {
    const id = await opened();
    await expect(move(id, { status: 'decided', decision: 'upheld' })).rejects.toMatchObject({
      code: 'review_not_claimed',
    });
    await move(id, { status: 'claimed' });
    await expect(move(id, { status: 'decided' })).rejects.toMatchObject({
      status: 400,
      code: 'review_decision_required',
    });
    await move(id, { status: 'decided', decision: 'upheld' });
    await expect(move(id, { status: 'open' })).rejects.toMatchObject({ status: 409, code: 'review_decided' });
    expect(await move(id, { note: 'seen again' })).toMatchObject({ status: 'decided', note: 'seen again' });
  });

  it('takes a decision back for who made it, and puts the sanction into force again', async () => {
    const { id: sanctionId } = await sanction({ type: 'mute', externalUserId: person, duration: 600 });
    const { id } = await appeal(sanctionId);
    await move(id, { status: 'claimed' });
    await move(id, { status: 'decided', decision: 'overturned', answer });
    await expect(move(id, { status: 'claimed' }, daemon.client)).rejects.toMatchObject({ code: 'review_decided' });
    const undecided = { status: 'claimed', decision: null, decidedByUserId: null, decidedAt: null };
    expect(await move(id, { status: 'claimed' })).toMatchObject(undecided);
    const inForce = { status: 'active', isActive: true, revokedAt: null, revokedByUserId: null, revokeReason: null };
    expect(await daemon.client.call(sanctionRoutes.get, item(sanctionId))).toMatchObject(inForce);
    await move(id, { status: 'decided', decision: 'overturned', answer });
    expect(await daemon.client.call(sanctionRoutes.get, item(sanctionId))).toMatchObject({ status: 'revoked' });
  });

  it('leaves a sanction that somebody else had ended as it is when the decision is taken back', async () => {
    const { id: sanctionId } = await sanction({ type: 'mute', externalUserId: person });
    const { id } = await appeal(sanctionId);
    await move(id, { status: 'claimed' });
    await daemon.client.call(sanctionRoutes.revoke, { ...item(sanctionId), body: { reason: 'a mistake' } });
    await move(id, { status: 'decided', decision: 'overturned', answer });
    await move(id, { status: 'claimed' });
    const ended = { status: 'revoked', revokeReason: 'a mistake' };
    expect(await daemon.client.call(sanctionRoutes.get, item(sanctionId))).toMatchObject(ended);
  });

  it('does not know a review of another project', async () => {
    await expect(move('nothing', { status: 'claimed' })).rejects.toMatchObject({
      status: 404,
      code: 'review_not_found',
    });
  });
});

// The last one: whoever logged in has to do so again afterwards.
describe('an appeal against a sanction that has ended', () => {
  it('that are manifestly unfounded lead to a warning, then to a suspension that a person confirms, which ends when one is reopened', async () => {
    const { token } = await daemon.client.call(playerRoutes.createToken, { params: { ...params(), userId: person } });
    const own = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const standing = async () => (await own.call(statementRoutes.mine, {})).misuse;
    const protest = async () => {
      const { id } = await sanction({ type: 'mute', externalUserId: person });
      await own.call(statementRoutes.appealMine, { params: { id }, body: { statement: 'No.' } });
      const query = { sanctionId: id };
      return (await daemon.client.call(reviewRoutes.list, { params: params(), query })).reviews[0]?.id ?? '';
    };
    const unfounded = async (id: string) => {
      await move(id, { status: 'claimed' });
      return move(id, { status: 'decided', decision: 'upheld', answer, unfounded: true });
    };
    const mistaken = await protest();
    await move(mistaken, { status: 'claimed' });
    await expect(
      move(mistaken, { status: 'decided', decision: 'overturned', answer, unfounded: true }),
    ).rejects.toMatchObject({ status: 400, code: 'appeal_not_unfounded' });
    expect(await unfounded(mistaken)).toMatchObject({ unfounded: true });
    expect(await standing()).toEqual([]);
    await unfounded(await protest());
    expect(await standing()).toMatchObject([{ of: 'appeals', suspendedUntil: null }]);
    await unfounded(await protest());
    const last = await protest();
    await unfounded(last);
    const at = { params: { ...params(), externalUserId: person } };
    const { appealsProposedUntil, recentAppeals } = await daemon.client.call(reporterRoutes.get, at);
    expect(recentAppeals).toEqual({ decided: 4, unfounded: 4 });
    const confirmed = { appealsSuspendedUntil: appealsProposedUntil, decidedBy: 'person' } as const;
    await daemon.client.call(reporterRoutes.update, { ...at, body: confirmed });
    expect(await standing()).toMatchObject([{ of: 'appeals', suspendedUntil: appealsProposedUntil }]);
    expect(await daemon.client.call(reporterRoutes.get, at)).toMatchObject({
      ...{ unfounded: 0, suspendedUntil: null, unfoundedAppeals: 4, appealsSuspendedUntil: expect.any(String) },
    });
    await expect(protest()).rejects.toMatchObject({ status: 403, code: 'appeals_suspended' });
    const { id: newest } = await sanction({ type: 'mute', externalUserId: person });
    expect(await appeal(newest)).toMatchObject({ status: 'open' }); // a moderator, in the name of the person
    const query = { year: now.getUTCFullYear() };
    const figures = await daemon.client.call(transparencyRoutes.get, { params: params(), query });
    expect(figures.suspensions).toMatchObject({ unfoundedNotices: 0, unfoundedComplaints: 1 });
    expect(await move(last, { status: 'claimed' })).toMatchObject({ unfounded: false });
    await protest();
  });

  it('is possible for six months after the sanction, where it has ended', async () => {
    const { id } = await sanction({ type: 'mute', externalUserId: person, duration: 60 });
    const { id: late } = await sanction({ type: 'mute', externalUserId: person, duration: 60 });
    now = new Date(now.getTime() + 180 * 86_400_000);
    expect(await appeal(id)).toMatchObject({ kind: 'appeal', status: 'open' });
    now = new Date(now.getTime() + 5 * 86_400_000);
    await expect(appeal(late)).rejects.toMatchObject({ status: 409, code: 'appeal_too_late' });
  });
});
