/** What sanctioned people are told: rules from Regulation (EU) 2022/2065, Articles 17 and 20. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionTemplateRoutes } from '../../src/contract/moderation/sanction-templates.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { standingMax, statementRoutes } from '../../src/contract/moderation/statements.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { signedInColleague } from '../support/console.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { openStream } from '../support/stream.js';

const Frame = z.object({ type: z.string(), payload: z.object({ data: z.record(z.string(), z.unknown()) }) });

describeDaemonsOnEachDatabase('what a sanctioned person is told', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-03-01T12:00:00.000Z');
  let person: string;
  let count = 0;
  beforeAll(async () => {
    daemon = await start({ now: () => now });
  });
  afterAll(() => daemon.stop());
  beforeEach(() => {
    count += 1;
    person = `u${count}`;
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const sanction = (body: Omit<CreateSanctionRequest, 'externalUserId'>, client = daemon.client) =>
    client.call(sanctionRoutes.create, { params: params(), body: { ...body, externalUserId: person } });
  const statement = (id: string, language?: string) =>
    daemon.client.call(statementRoutes.get, { ...item(id), query: language === undefined ? {} : { language } });
  const player = async (userId = person) => {
    const { token } = await daemon.client.call(playerRoutes.createToken, { params: { ...params(), userId } });
    return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  };
  const codeOf = async (id: string) => (await statement(id)).url?.split('/').at(-1) ?? '';
  const anonymous = () => new EarshotClient({ baseUrl: daemon.url });

  it('names what, since and until when, why, on what ground, how it was found and decided, and what can be done', async () => {
    const { id } = await sanction({
      type: 'temp_ban',
      duration: 7 * 86_400,
      reason: 'You threatened another player.',
      ...{ source: 'report', decidedBy: 'person' },
      ground: { kind: 'law', reference: 'German Criminal Code, section 241', explanation: 'A threat of violence.' },
    });
    const told = await statement(id);
    expect(told).toMatchObject({
      ...{ sanctionId: id, type: 'temp_ban', status: 'active', sessionOnly: false, source: 'report' },
      ...{ startAt: '2026-03-01T12:00:00.000Z', endAt: '2026-03-08T12:00:00.000Z' },
      ...{ facts: 'You threatened another player.', automatedDetection: false, automatedDecision: false },
      ground: { kind: 'law', reference: 'German Criminal Code, section 241', explanation: 'A threat of violence.' },
      appeal: { state: 'possible', until: '2026-09-01T12:00:00.000Z', answer: null },
      language: 'en',
    });
    expect([told.title, ...told.text.split('\n')]).toEqual([
      'You are banned for a time',
      'From March 1, 2026 at 12:00 PM UTC until March 8, 2026 at 12:00 PM UTC.',
      'Reason: You threatened another player.',
      'Somebody reported this. A person made the decision.',
      'It is against the law: German Criminal Code, section 241. A threat of violence.',
      'You can appeal until September 1, 2026 at 12:00 PM UTC, free of charge. Somebody who did not make this decision answers you.',
      'You can also go to a court or, in the European Union, to a certified body for out-of-court dispute settlement.',
    ]);
  });

  it('comes in the language of the person, with the reason of a template in it', async () => {
    await daemon.client.call(participantRoutes.create, {
      params: params(),
      body: { externalUserId: person, language: 'de-AT' },
    });
    await daemon.client.call(sanctionTemplateRoutes.set, {
      params: { ...params(), name: 'slur' },
      body: {
        reason: 'You used a slur.',
        reasons: { de: 'Du hast jemanden beschimpft.' },
        ground: { kind: 'terms', reference: '§ 4' },
      },
    });
    const { id, ground } = await sanction({ type: 'mute', duration: 600, template: 'slur' });
    expect(ground).toEqual({ kind: 'terms', reference: '§ 4' });
    const told = await statement(id);
    expect(told).toMatchObject({ language: 'de', facts: 'Du hast jemanden beschimpft.' });
    expect(told.title).toBe('Du bist stummgeschaltet: In Sprachräumen hört dich niemand');
    expect(told.text).toContain('Es verstößt gegen die Nutzungsbedingungen: § 4.');
    expect(await statement(id, 'fr')).toMatchObject({ language: 'fr', facts: 'You used a slur.' });
    expect(await statement(id, 'ja')).toMatchObject({ language: 'de' });
    await daemon.client.call(sanctionRoutes.update, { ...item(id), body: { reason: 'You shouted.' } });
    expect(await statement(id)).toMatchObject({ language: 'de', facts: 'You shouted.' });
  });

  it('is in the event of the sanction, and in each of its changes', async () => {
    const stream = await openStream(`${daemon.url}/api/projects/${daemon.projectId}/events/stream`, {
      'X-API-Key': daemon.apiKey,
    });
    const next = async (type: string) => {
      for (;;) {
        const event = Frame.parse((await stream.next()).data);
        if (event.type === type) return event.payload.data;
      }
    };
    const { id } = await sanction({ type: 'mute', duration: 600, reason: 'Shouting.' });
    const told = {
      language: 'en',
      title: expect.stringContaining('muted'),
      text: expect.stringContaining('Shouting.'),
    };
    expect(await next('sanction.created')).toMatchObject({ id, statement: told });
    await daemon.client.call(sanctionRoutes.update, { ...item(id), body: { duration: 1200 } });
    expect(await next('sanction.updated')).toMatchObject({ statement: { text: expect.stringContaining('12:20 PM') } });
    await daemon.client.call(sanctionRoutes.revoke, { ...item(id), body: {} });
    const revoked = { text: expect.stringContaining('It has been revoked and no longer applies.') };
    expect(await next('sanction.revoked')).toMatchObject({ statement: revoked });
    await sanction({ type: 'shadow_mute' });
    expect(await next('sanction.created')).toMatchObject({ type: 'shadow_mute', statement: null });
    stream.close();
  });

  it('says nothing of a shadow mute while it is in force, and nothing of a human_review', async () => {
    const { id: shadow } = await sanction({ type: 'shadow_mute', duration: 60 });
    const { id: review } = await sanction({ type: 'human_review' });
    const own = await player();
    expect(await own.call(statementRoutes.mine, {})).toEqual({
      externalUserId: person,
      statements: [],
      misuse: [],
      notices: [],
    });
    for (const id of [shadow, review])
      await expect(statement(id)).rejects.toMatchObject({ status: 409, code: 'sanction_without_statement' });
    const body = { statement: 'Why?' };
    await expect(own.call(statementRoutes.appealMine, { params: { id: shadow }, body })).rejects.toMatchObject({
      code: 'sanction_not_found',
    });
    now = new Date(now.getTime() + 61_000);
    const { statements } = await own.call(statementRoutes.mine, {});
    expect(statements).toMatchObject([{ sanctionId: shadow, status: 'expired', appeal: { state: 'possible' } }]);
  });

  it('shows a player their own standing alone, and takes their appeal once', async () => {
    const { id } = await sanction({ type: 'mute', duration: 600 });
    const own = await player();
    const [mine] = (await own.call(statementRoutes.mine, {})).statements;
    expect(mine).toMatchObject({ sanctionId: id, appeal: { state: 'possible' } });
    const appeal = (client: EarshotClient) =>
      client.call(statementRoutes.appealMine, { params: { id }, body: { statement: 'It was my brother.' } });
    await expect(appeal(await player('somebody'))).rejects.toMatchObject({ status: 404, code: 'sanction_not_found' });
    expect((await (await player('somebody')).call(statementRoutes.mine, {})).statements).toEqual([]);
    const waiting = { state: 'waiting', statement: 'It was my brother.', answer: null };
    expect(await appeal(own)).toMatchObject({ sanctionId: id, appeal: waiting });
    await expect(appeal(own)).rejects.toMatchObject({ status: 409, code: 'sanction_already_appealed' });
    const { reviews } = await daemon.client.call(reviewRoutes.list, { params: params(), query: { sanctionId: id } });
    expect(reviews).toMatchObject([{ kind: 'appeal', createdByUserId: null, statement: 'It was my brother.' }]);
  });

  it('shows a player what matters however much is newer: appeals that wait, and what is in force', async () => {
    const own = await player();
    const appealed = await sanction({ type: 'mute', duration: 60, reason: 'Before.' });
    await own.call(statementRoutes.appealMine, { params: { id: appealed.id }, body: { statement: 'No.' } });
    const inForce = await sanction({ type: 'perm_ban' });
    const appealable = await sanction({ type: 'mute', duration: 60, reason: 'Open to appeals.' });
    const began = now;
    now = new Date(now.getTime() + 120_000);
    const many = async (body: Omit<CreateSanctionRequest, 'externalUserId'>) => {
      const sanctions = Array.from({ length: standingMax + 1 }, () => ({ ...body, externalUserId: person }));
      const batch = { params: params(), body: { batchId: `${person}-${body.type}`, items: sanctions } };
      await daemon.client.call(sanctionBatchRoutes.apply, batch);
    };
    const ids = async () => (await own.call(statementRoutes.mine, {})).statements.map(({ sanctionId }) => sanctionId);
    // Nobody is told of a request for a review, nor of what was revoked without an appeal.
    await many({ type: 'human_review' });
    await many({ type: 'warn' });
    const undo = { params: { ...params(), id: `${person}-warn` }, body: {} };
    await daemon.client.call(sanctionBatchRoutes.undo, undo);
    expect(await ids()).toEqual([appealable.id, inForce.id, appealed.id]);
    await many({ type: 'mute', duration: 600 });
    now = new Date(now.getTime() + 1_200_000);
    const shown = await ids();
    expect(shown).toHaveLength(standingMax);
    expect(shown).toEqual(shown.toSorted().reverse());
    expect(shown.slice(-2)).toEqual([inForce.id, appealed.id]);
    now = began;
  });

  it('is read by its code without an account, with the answer to the appeal', async () => {
    const { id } = await sanction({ type: 'perm_ban', reason: 'Cheating.' });
    const code = await codeOf(id);
    const read = (query = {}) => anonymous().call(statementRoutes.read, { params: { code }, query });
    expect(await read()).toMatchObject({ sanctionId: id, facts: 'Cheating.', appeal: { state: 'possible' } });
    await anonymous().call(statementRoutes.appeal, { params: { code }, body: { statement: 'I do not cheat.' } });
    const { reviews } = await daemon.client.call(reviewRoutes.list, { params: params(), query: { sanctionId: id } });
    const review = item(reviews[0]?.id ?? '');
    const answer = 'The recording shows somebody else.';
    await daemon.admin.call(reviewRoutes.update, { ...review, body: { status: 'claimed' } });
    await daemon.admin.call(reviewRoutes.update, {
      ...review,
      body: { status: 'decided', decision: 'overturned', answer, note: 'for us' },
    });
    const told = await read({ language: 'de' });
    expect(told).toMatchObject({ status: 'revoked', appeal: { state: 'decided', decision: 'overturned', answer } });
    expect(told.text).toContain(`Deiner Beschwerde wurde stattgegeben. Antwort: ${answer}`);
    expect(JSON.stringify(told)).not.toContain('for us');
  });

  it('takes the language of the browser where that of the person is unknown', async () => {
    const code = await codeOf((await sanction({ type: 'warn' })).id);
    const response = await fetch(`${daemon.url}/api/standing/${code}`, {
      headers: { 'Accept-Language': 'ja,es-MX;q=0.9,de;q=0.8' },
    });
    expect(await response.json()).toMatchObject({ language: 'es', title: 'Has recibido una advertencia' });
  });

  it('gives nothing for a code that was changed, cut or made up, or whose person was erased', async () => {
    const { id } = await sanction({ type: 'warn' });
    const code = await codeOf(id);
    const read = (of: string) => anonymous().call(statementRoutes.read, { params: { code: of } });
    const changed = `${code.slice(0, 30)}${code[30] === 'A' ? 'B' : 'A'}${code.slice(31)}`;
    for (const wrong of [changed, code.slice(0, -2), `${code}AA`, 'x', id])
      await expect(read(wrong)).rejects.toMatchObject({ status: 404, code: 'standing_code_invalid' });
    await expect(read(code)).resolves.toMatchObject({ sanctionId: id });
    await daemon.client.call(personRoutes.erase, { params: { ...params(), user: person } });
    await expect(read(code)).rejects.toMatchObject({ code: 'standing_code_invalid' });
  });

  it('is read by its code until 30 days after its sanction and the time to appeal have ended, and no longer', async () => {
    const began = now;
    const at = async (time: string, code: string) => {
      now = new Date(time);
      const read = anonymous().call(statementRoutes.read, { params: { code } });
      return read.then(
        ({ status, appeal }) => [status, appeal.state],
        ({ code: refusal }) => refusal,
      );
    };
    const brief = await codeOf((await sanction({ type: 'mute', duration: 600 })).id);
    expect(await at('2026-03-02T12:00:00Z', brief)).toEqual(['expired', 'possible']);
    expect(await at('2026-09-20T12:00:00Z', brief)).toEqual(['expired', 'over']);
    expect(await at('2026-10-02T12:00:00Z', brief)).toBe('standing_code_invalid');
    now = began;
    const lifted = await sanction({ type: 'perm_ban' });
    const liftedCode = await codeOf(lifted.id);
    expect(await at('2028-03-01T12:00:00Z', liftedCode)).toEqual(['active', 'possible']);
    await daemon.client.call(sanctionRoutes.revoke, { ...item(lifted.id), body: { reason: 'By mistake.' } });
    expect(await at('2028-03-30T12:00:00Z', liftedCode)).toEqual(['revoked', 'over']);
    expect(await at('2028-04-01T12:00:00Z', liftedCode)).toBe('standing_code_invalid');
    now = began;
  });

  it('shows the address of the page to those who may impose sanctions, and to no other reader', async () => {
    const { id } = await sanction({ type: 'mute', duration: 600, reason: 'Shouting.' });
    const readers = [
      await daemon.clientWith(['sanctions:read']),
      await signedInColleague(daemon, 'viewer', `viewer-${count}`),
    ];
    for (const reader of readers)
      expect(await reader.call(statementRoutes.get, item(id))).toMatchObject({ sanctionId: id, url: null });
    const moderator = await signedInColleague(daemon, 'moderator', `moderator-${count}`);
    expect((await moderator.call(statementRoutes.get, item(id))).url).toContain(`/standing/${await codeOf(id)}`);
    const { statements } = await (await player()).call(statementRoutes.mine, {});
    expect(statements[0]?.url).toContain(await codeOf(id));
  });

  it('limits guesses by address', async () => {
    const limited = await start({ settings: { EARSHOT_RATE_LIMIT_ADDRESS: '5' } });
    const statuses: number[] = [];
    for (let guess = 0; guess < 8; guess += 1)
      statuses.push((await fetch(`${limited.url}/api/standing/guess${guess}`)).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3);
    await limited.stop();
  });

  it('says in its heading that it is over, in each language', async () => {
    const titles = async (id: string) =>
      Promise.all(['en', 'de', 'fr', 'es'].map(async (language) => (await statement(id, language)).title));
    const ban = await sanction({ type: 'perm_ban' });
    expect((await titles(ban.id))[1]).toBe('Du bist dauerhaft ausgeschlossen');
    await daemon.client.call(sanctionRoutes.revoke, { ...item(ban.id), body: {} });
    expect(await titles(ban.id)).toEqual([
      ...['Permanent ban: revoked', 'Dauerhafter Ausschluss: aufgehoben'],
      ...['Levé : Exclusion définitive', 'Anulado: Expulsión permanente'],
    ]);
    const mute = await sanction({ type: 'mute', duration: 60 });
    now = new Date(now.getTime() + 61_000);
    expect((await titles(mute.id)).slice(0, 2)).toEqual(['Mute: ended', 'Stummschaltung: beendet']);
  });
});
