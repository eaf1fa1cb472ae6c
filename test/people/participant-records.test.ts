import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import type { RequiredScope } from '../../src/contract/scopes.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
let id: string;
let now = new Date('2026-01-01T00:00:00.000Z');
const later = () => {
  now = new Date(now.getTime() + 1_000);
};
beforeAll(async () => {
  daemon = await startDaemon({ now: () => now });
  const body = { externalUserId: 'ann', displayName: 'Ann' };
  ({ id } = await daemon.client.call(participantRoutes.create, { params: params(), body }));
});
afterAll(() => daemon.stop());

const params = () => ({ projectId: daemon.projectId });
const note = (text: string) =>
  daemon.client.call(participantRecordRoutes.addNote, { params: { ...params(), id }, body: { text } });
const notes = () => daemon.client.call(participantRecordRoutes.notes, { params: { ...params(), id } });
const history = (client = daemon.client, query = {}) =>
  client.call(participantRecordRoutes.history, { params: { ...params(), id }, query });

describe('notes about somebody', () => {
  it('are kept in order with their author, until they are deleted', async () => {
    const first = await note('first');
    await note('second');
    expect(await notes()).toMatchObject([{ text: 'first', participantId: id }, { text: 'second' }]);
    expect(first.createdByUserId).not.toBe('');
    const remove = () =>
      daemon.client.call(participantRecordRoutes.removeNote, { params: { ...params(), id, noteId: first.id } });
    await remove();
    expect(await notes()).toMatchObject([{ text: 'second' }]);
    await expect(remove()).rejects.toMatchObject({ status: 404, code: 'participant_note_not_found' });
  });

  it('are refused where there is nobody to write about', async () => {
    const nobody = { params: { ...params(), id: 'nobody' } };
    await expect(daemon.client.call(participantRecordRoutes.notes, nobody)).rejects.toMatchObject({ status: 404 });
    await expect(
      daemon.client.call(participantRecordRoutes.addNote, { ...nobody, body: { text: 'x' } }),
    ).rejects.toMatchObject({ status: 404, code: 'participant_not_found' });
  });
});

describe('GET …/participants/{id}/history', () => {
  let sessionId: string;
  beforeAll(async () => {
    ({ id: sessionId } = await daemon.client.call(sessionRoutes.create, {
      params: params(),
      body: { title: 'Match', externalRoomId: 'arena', autoStart: false },
    }));
    later();
    await daemon.client.call(sessionRoutes.say, {
      params: { ...params(), id: sessionId },
      body: { externalUserId: 'ann', content: 'hello there' },
    });
    later();
    const mute = await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'mute', externalUserId: 'ann', reason: 'shouting' },
    });
    later();
    const { id: reviewId } = await daemon.client.call(reviewRoutes.appeal, {
      params: { ...params(), id: mute.id },
      body: { statement: 'I only sang' },
    });
    const decided = { status: 'decided', decision: 'overturned', answer: 'You did.' } as const;
    for (const body of [{ status: 'claimed' } as const, decided]) {
      later();
      await daemon.admin.call(reviewRoutes.update, { params: { ...params(), id: reviewId }, body });
    }
  });

  it('is one timeline of what was said, imposed, appealed and decided', async () => {
    const lines = (await history()).filter(({ kind }) => kind !== 'note');
    expect(lines.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
      'person became a participant',
      'voice wrote: hello there',
      'sanction mute by key test: shouting',
      'review appealed: I only sang',
      expect.stringMatching(/^(review decided|sanction mute revoked)/),
      expect.stringMatching(/^(review decided|review review decided|sanction mute revoked)/),
    ]);
    expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).toSorted());
    expect(lines.map(({ partOf }) => partOf)).toEqual([null, `session:${sessionId}`, null, null, null, null]);
  });

  it('names who imposed a sanction to those who may see accounts, and gives the id to others', async () => {
    const lineFor = async (client: EarshotClient) =>
      (await history(client, { kind: 'sanction' })).find(({ what }) => what.endsWith(': shouting'))?.what;
    const {
      sanctions: [mute],
    } = await daemon.client.call(sanctionRoutes.list, { params: params(), query: { externalUserId: 'ann' } });
    expect(await lineFor(daemon.admin)).toBe('mute by key test: shouting');
    expect(await lineFor(await daemon.clientWith(['participants:read', 'sanctions:read']))).toBe(
      `mute by ${mute?.createdByUserId}: shouting`,
    );
  });

  it('holds the newest entries up to the limit', async () => {
    expect(await history(daemon.client, { limit: 2 })).toHaveLength(2);
  });

  it('holds the newest reviews of somebody with more', async () => {
    const externalUserId = 'zoe';
    const zoe = await daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId } });
    for (const reason of ['first', 'second', 'third']) {
      later();
      const body = { type: 'human_review', externalUserId, reason } as const;
      await daemon.client.call(sanctionRoutes.create, { params: params(), body });
    }
    const seen = await daemon.client.call(participantRecordRoutes.history, {
      params: { ...params(), id: zoe.id },
      query: { limit: 2, kind: 'review' },
    });
    expect(seen.map(({ at }) => at)).toEqual([new Date(now.getTime() - 1_000), now].map((time) => time.toISOString()));
  });

  it('holds what was decided last about an old review of somebody with newer ones', async () => {
    const externalUserId = 'yan';
    const yan = await daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId } });
    for (const reason of ['first', 'second', 'third', 'fourth']) {
      later();
      const body = { type: 'human_review', externalUserId, reason } as const;
      await daemon.client.call(sanctionRoutes.create, { params: params(), body });
    }
    const { reviews } = await daemon.client.call(reviewRoutes.list, { params: params(), query: { externalUserId } });
    const decided = { status: 'decided', decision: 'upheld', answer: 'We looked.' } as const;
    for (const body of [{ status: 'claimed' } as const, decided]) {
      later();
      await daemon.admin.call(reviewRoutes.update, { params: { ...params(), id: reviews[0]?.id ?? '' }, body });
    }
    const seen = await daemon.client.call(participantRecordRoutes.history, {
      params: { ...params(), id: yan.id },
      query: { limit: 2, kind: 'review' },
    });
    expect(seen.map(({ what }) => what)).toEqual(['review asked for: fourth', 'review decided: upheld']);
  });

  it.each<[RequiredScope[], string[]]>([
    [['participants:read'], ['person']],
    [
      ['participants:read', 'sanctions:read'],
      ['person', 'sanction'],
    ],
    [
      ['participants:read', 'messages'],
      ['person', 'voice'],
    ],
    [
      ['participants:read', 'plugins:read'],
      ['person', 'review'],
    ],
  ])('shows a key with %j just %j', async (scopes, kinds) => {
    const seen = (await history(await daemon.clientWith(scopes)))
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'note');
    expect([...new Set(seen)].toSorted()).toEqual(kinds);
  });

  it('has the reports about the person, without who reported, for those who may read reports', async () => {
    const body = { externalUserId: 'ann', reporterUserId: 'bea', category: 'spam', words: 'Sells coins.' };
    const { caseId } = await daemon.client.call(reportRoutes.create, { params: params(), body });
    const reports = await history(daemon.client, { kind: 'report' });
    expect(reports).toMatchObject([{ what: 'was reported for spam: Sells coins.', partOf: `case:${caseId}` }]);
    expect(JSON.stringify(reports)).not.toContain('bea');
    const key = await daemon.clientWith(['participants:read', 'messages:read']);
    expect(await history(key, { kind: 'report' })).toEqual([]);
  });
});
