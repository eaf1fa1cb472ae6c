/** People under age: no shadow mute that nobody has looked at, and a shorter retention of what they say. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';

describeDaemonsOnEachDatabase('people under age', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-01-01T00:00:00.000Z');
  beforeAll(async () => {
    daemon = await start({ now: () => now });
    const token = { roomId: 'arena', userId: 'kid', minor: true };
    await daemon.client.call(tokenRoutes.generateForProject, { params: params(), body: token });
    await daemon.client.call(tokenRoutes.generateForProject, {
      params: params(),
      body: { ...token, userId: 'adult', minor: false },
    });
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const shadowMute = (externalUserId: string) =>
    daemon.client.call(sanctionRoutes.create, { params: params(), body: { type: 'shadow_mute', externalUserId } });
  const reviewsOf = async (sanctionId: string) =>
    (await daemon.client.call(reviewRoutes.list, { params: params(), query: { sanctionId } })).reviews;

  it('are known by a room token, and by an update', async () => {
    const { participants } = await daemon.client.call(participantRoutes.list, { params: params(), query: {} });
    const minors = new Map(participants.map(({ externalUserId, minor }) => [externalUserId, minor]));
    expect([minors.get('kid'), minors.get('adult')]).toEqual([true, false]);
    const { id } = await daemon.client.call(participantRoutes.create, {
      params: params(),
      body: { externalUserId: 'unknown' },
    });
    expect(await daemon.client.call(participantRoutes.update, { ...item(id), body: { minor: true } })).toMatchObject({
      minor: true,
    });
  });

  it('are not shadow muted without a case that somebody decides, and overturning it takes the mute back', async () => {
    expect(await reviewsOf((await shadowMute('adult')).id)).toEqual([]);
    const { id } = await shadowMute('kid');
    const [review] = await reviewsOf(id);
    expect(review).toMatchObject({ kind: 'human_review', status: 'open', statement: expect.stringContaining('minor') });
    const { cases } = await daemon.client.call(caseRoutes.list, { params: params(), query: { externalUserId: 'kid' } });
    expect(cases).toMatchObject([{ category: 'minors_safety', reviews: 1 }]);
    expect(cases[0]?.why).toContain('minors_safety (weight 10)');
    const decide = (body: object) => daemon.client.call(reviewRoutes.update, { ...item(review?.id ?? ''), body });
    await decide({ status: 'claimed' });
    await decide({ status: 'decided', decision: 'overturned' });
    expect(await daemon.client.call(sanctionRoutes.get, item(id))).toMatchObject({ isActive: false });
  });

  it('are told why in simple sentences of their language, by event and statement', async () => {
    const simple = {
      en: 'You can ask an adult to help you.',
      de: 'Ein Erwachsener darf dir helfen.',
      fr: "Un adulte peut t'aider.",
      es: 'Un adulto puede ayudarte.',
    };
    for (const [language, sentence] of Object.entries(simple)) {
      const query = { language };
      const told = async (externalUserId: string) => {
        const body = { type: 'mute' as const, externalUserId, duration: 60 };
        const { id } = await daemon.client.call(sanctionRoutes.create, { params: params(), body });
        return (await daemon.client.call(statementRoutes.get, { ...item(id), query })).text;
      };
      expect(await told('kid')).toContain(sentence);
      expect(await told('adult')).not.toContain(sentence);
    }
  });

  it('are forgotten sooner', async () => {
    const body = { transcriptRetentionDays: 30, minorsTranscriptRetentionDays: 7 };
    expect(await daemon.admin.call(settingsRoutes.update, { params: params(), body })).toMatchObject(body);
    const { id } = await daemon.client.call(sessionRoutes.create, {
      params: params(),
      body: { title: 'Match', externalRoomId: 'arena', autoStart: false },
    });
    for (const externalUserId of ['kid', 'adult'])
      await daemon.client.call(sessionRoutes.say, {
        ...item(id),
        body: { externalUserId, content: externalUserId, judged: true },
      });
    now = new Date(now.getTime() + 8 * 86_400_000);
    await daemon.restart();
    await eventually(async () => {
      const messages = await daemon.client.call(sessionRoutes.messages, item(id));
      expect(messages.map(({ content }) => content)).toEqual(['adult']);
    }, 30_000);
  });
});
