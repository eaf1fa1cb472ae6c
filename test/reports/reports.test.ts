/** Reports: what reporters may send and see, what is stored with them, and what moderators read. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { ApiError } from '../../src/client/errors.js';
import { report as reportByLibrary } from '../../src/client/room/report.js';
import { accessOf } from '../../src/client/room/room-access.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { defaultCategories, reportSettingsRoutes } from '../../src/contract/reports/report-settings.js';
import {
  type CreateReportRequest,
  playerReportRoutes,
  type ReportReceipt,
  reportRoutes,
  roomReportRoutes,
} from '../../src/contract/reports/reports.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

describeDaemonsOnEachDatabase('reports', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-01-01T00:00:00.000Z');
  let sessionId: string;
  beforeAll(async () => {
    daemon = await start({ now: () => now });
    const body = { title: 'Match', externalRoomId: 'arena', autoStart: false };
    ({ id: sessionId } = await daemon.client.call(sessionRoutes.create, { params: params(), body }));
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const pass = (seconds: number): void => {
    now = new Date(now.getTime() + seconds * 1_000);
  };
  const say = async (externalUserId: string, content: string) => {
    const { id } = await daemon.client.call(sessionRoutes.say, {
      params: { ...params(), id: sessionId },
      body: { externalUserId, content },
    });
    pass(10);
    return id;
  };
  const report = (body: CreateReportRequest) => daemon.client.call(reportRoutes.create, { params: params(), body });
  const get = (id: string, client = daemon.client) => client.call(reportRoutes.get, item(id));
  const playerClient = async (userId: string) => {
    const { token } = await daemon.client.call(playerRoutes.createToken, { params: { ...params(), userId } });
    return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  };
  const roomCall = async (userId: string, path: string, body?: object) => {
    const { token } = await daemon.client.call(tokenRoutes.generateForProject, {
      params: params(),
      body: { roomId: 'arena', userId },
    });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${daemon.url}/rooms/arena/${path}`, { headers, ...sent });
    return { status: answer.status, body: (await answer.json()) as ReportReceipt & { code?: string } };
  };

  let count = 0;
  let person: string;
  let reporter: string;
  beforeEach(() => {
    count += 1;
    [person, reporter] = [`bad${count}`, `good${count}`];
    pass(3_600);
  });

  describe('POST …/reports', () => {
    it('keeps the transcript around a message, whatever becomes of the transcript', async () => {
      await say('somebody', 'long before');
      pass(60);
      await say('somebody', 'before');
      const named = await say(person, 'the words');
      await say('somebody', 'after');
      const { id } = await report({ reporterUserId: reporter, category: 'threats', evidence: { messageIds: [named] } });
      await daemon.client.call(personRoutes.erase, { params: { ...params(), user: 'somebody' } });
      const detail = await get(id);
      expect(detail).toMatchObject({ externalUserId: person, reporterUserId: reporter, status: 'open', repeats: 0 });
      expect(detail.transcript.map(({ content, named: isNamed }) => [content, isNamed])).toEqual([['the words', true]]);
    });

    it('attaches what was said in the room in the last seconds', async () => {
      await say('x', 'too early');
      pass(60);
      await say(person, 'one');
      await say('x', 'two');
      const evidence = { lastSeconds: 30 };
      const { id } = await report({ externalUserId: person, roomId: 'arena', category: 'hate', evidence });
      expect((await get(id)).transcript.map(({ content }) => content)).toEqual(['one', 'two']);
      await expect(report({ externalUserId: person, category: 'hate', evidence })).rejects.toMatchObject({
        code: 'validation_failed',
      });
    });

    it('attaches the last lines where more were said in that time', async () => {
      const path = { ...params(), id: sessionId };
      for (let count = 0; count <= 200; count += 1) {
        const body = { externalUserId: 'x', content: `line ${count}` };
        await daemon.client.call(sessionRoutes.say, { params: path, body });
        now = new Date(now.getTime() + 100);
      }
      const evidence = { lastSeconds: 60 };
      const { id } = await report({ externalUserId: person, roomId: 'arena', category: 'hate', evidence });
      const lines = (await get(id)).transcript.map(({ content }) => content);
      expect([lines.length, lines[0], lines.at(-1)]).toEqual([200, 'line 1', 'line 200']);
    });

    it('hides the transcript from a key that may not read transcripts', async () => {
      const named = await say(person, 'private words');
      const { id } = await report({ category: 'hate', evidence: { messageIds: [named] } });
      const limited = await daemon.clientWith(['reports:read']);
      expect((await get(id, limited)).transcript).toEqual([]);
    });

    it('takes what is heavier in a report that joins it: category, lines, and the place of its case', async () => {
      const first = { reporterUserId: reporter, externalUserId: person, roomId: 'arena', category: 'spam' };
      const { id, caseId } = await report(first);
      const params_ = item(caseId ?? '');
      const light = await daemon.client.call(caseRoutes.get, params_);
      expect(light.category).toBe('spam');
      await say(person, 'the words');
      const heavier = { ...first, category: 'minors_safety', evidence: { lastSeconds: 60 } };
      expect(await report(heavier)).toMatchObject({ id, category: 'minors_safety', repeats: 1 });
      expect(await report(first)).toMatchObject({ id, category: 'minors_safety', repeats: 2 });
      expect((await get(id)).transcript.map(({ content }) => content)).toContain('the words');
      const heavy = await daemon.client.call(caseRoutes.get, params_);
      expect(heavy).toMatchObject({ category: 'minors_safety', reports: 1, reporters: 1 });
      expect(heavy.priority).toBeGreaterThan(light.priority + 5);
      expect(heavy.dueAt <= light.dueAt).toBe(true);
    });

    it('has a line as named that the reporter names in a report that joins it', async () => {
      const first = { reporterUserId: reporter, externalUserId: person, roomId: 'arena', category: 'spam' };
      const messageId = await say(person, 'these words');
      const { id } = await report({ ...first, evidence: { lastSeconds: 30 } });
      const line = async () => (await get(id)).transcript.find((one) => one.messageId === messageId)?.named;
      expect(await line()).toBe(false);
      await report({ ...first, evidence: { messageIds: [messageId] } });
      expect(await line()).toBe(true);
    });

    it('joins the first report of the same reporter about the same person within an hour, at the same time too', async () => {
      const body = { reporterUserId: reporter, externalUserId: person, category: 'spam' };
      const all = await Promise.all(['a', 'b', 'c'].map((words) => report({ ...body, words })));
      const [{ id } = { id: '' }] = all;
      expect(new Set(all.map((one) => one.id)).size).toBe(1);
      const { repeats, words } = await get(id);
      expect([repeats, words?.split('\n').sort()]).toEqual([2, ['a', 'b', 'c']]);
      pass(3_600);
      expect((await report(body)).id).not.toBe(id);
      expect((await report({ ...body, reporterUserId: `${reporter}x` })).id).not.toBe(id);
    });

    it('answers a repeated Idempotency-Key with the first answer', async () => {
      const send = () =>
        fetch(`${daemon.url}/api/projects/${daemon.projectId}/reports`, {
          method: 'POST',
          headers: { 'X-API-Key': daemon.apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': person },
          body: JSON.stringify({ externalUserId: person, category: 'spam' }),
        }).then((answer) => answer.json());
      expect(await send()).toEqual(await send());
      const { total } = await daemon.client.call(reportRoutes.list, {
        params: params(),
        query: { externalUserId: person },
      });
      expect(total).toBe(1);
    });

    it.each([
      ['nobody and nothing', { category: 'spam' }, 'report_target_required'],
      ['a message that is gone', { category: 'spam', evidence: { messageIds: ['x'] } }, 'report_target_required'],
      ['oneself', { category: 'spam', reporterUserId: 'ann', externalUserId: 'ann' }, 'report_self'],
      ['an unknown category', { category: 'weather', externalUserId: 'ann' }, 'report_category_unknown'],
    ])('refuses %s', async (_, body, code) => {
      await expect(report(body)).rejects.toMatchObject({ status: 400, code });
    });

    it('takes the categories of the project', async () => {
      const settings = () => daemon.client.call(reportSettingsRoutes.get, { params: params() });
      const set = (body: { categories: { name: string; goalHours?: number }[] | null }) =>
        daemon.client.call(reportSettingsRoutes.update, { params: params(), body });
      expect((await settings()).categories).toEqual(defaultCategories);
      await set({ categories: [{ name: 'smurfing', goalHours: 2 }] });
      expect(await settings()).toMatchObject({ categories: [{ name: 'smurfing', weight: 3, goalHours: 2 }] });
      expect(await report({ externalUserId: person, category: 'smurfing' })).toMatchObject({ category: 'smurfing' });
      await expect(report({ externalUserId: person, category: 'spam' })).rejects.toMatchObject({ status: 400 });
      await set({ categories: null });
      expect((await settings()).categories).toEqual(defaultCategories);
    });
  });

  describe('a player', () => {
    it('gets a receipt in their language, and sees only their own reports', async () => {
      const [one, other] = await Promise.all([playerClient(reporter), playerClient(`${reporter}x`)]);
      const body = { externalUserId: person, category: 'harassment', words: 'Hilfe', language: 'de-AT' };
      const receipt = await one.call(playerReportRoutes.create, { body });
      expect(receipt).toMatchObject({ externalUserId: person, status: 'open', decidedAt: null });
      expect(receipt.message).toMatch(/^Danke/);
      await other.call(playerReportRoutes.create, { body: { externalUserId: person, category: 'spam' } });
      // The answer to a report is kept for repeats, so the address of the page comes with the others.
      const withPage = { ...receipt, url: expect.stringContaining(`${daemon.url}/receipts/`) };
      expect(await one.call(playerReportRoutes.list, {})).toMatchObject({ total: 1, reports: [withPage] });
      expect(await one.call(playerReportRoutes.get, { params: { id: receipt.id } })).toEqual(withPage);
      const foreign = other.call(playerReportRoutes.get, { params: { id: receipt.id } });
      await expect(foreign).rejects.toMatchObject({ status: 404 });
      expect(Object.keys(receipt)).not.toContain('words');
    });

    it('who is under age gets it in simple sentences, and the outcome too', async () => {
      const minor = { externalUserId: reporter, minor: true };
      await daemon.client.call(participantRoutes.create, { params: params(), body: minor });
      const one = await playerClient(reporter);
      const body = { externalUserId: person, category: 'spam', language: 'de' };
      const { id, message } = await one.call(playerReportRoutes.create, { body });
      expect(message).toBe(
        'Danke, dass du uns das gesagt hast. Die Moderation sieht es sich bald an. Ein Computerprogramm bestimmt, was zuerst drankommt.',
      );
      const { caseId } = await get(id);
      const decision = { decision: 'no_action', reasonCode: 'no_violation' } as const;
      await daemon.client.call(caseRoutes.decide, { params: { ...params(), id: caseId ?? '' }, body: decision });
      expect((await one.call(playerReportRoutes.get, { params: { id } })).message).toContain('Findest du das falsch?');
    });

    it('names only a room that they were in within the last five minutes', async () => {
      const one = await playerClient(reporter);
      const body = { externalUserId: person, category: 'hate', roomId: 'arena', evidence: { lastSeconds: 300 } };
      const create = () => one.call(playerReportRoutes.create, { body });
      await say(person, 'the words');
      await expect(create()).rejects.toMatchObject({ status: 403, code: 'report_not_in_room' });
      await say(reporter, 'Stop it.');
      pass(301);
      await expect(create()).rejects.toMatchObject({ code: 'report_not_in_room' });
      await say(person, 'again');
      await say(reporter, 'Stop it!');
      const { id } = await create();
      expect((await get(id)).transcript.map(({ content }) => content)).toEqual(['again', 'Stop it!']);
      await expect(one.call(playerReportRoutes.create, { body: { ...body, roomId: 'another' } })).rejects.toMatchObject(
        {
          code: 'report_not_in_room',
        },
      );
    });

    it('names only messages that were said while they were in the room', async () => {
      const body = async () => ({ category: 'hate', evidence: { messageIds: [await say(person, 'the words')] } });
      const one = await playerClient(reporter);
      const refused = { status: 403, code: 'report_not_heard' };
      await expect(one.call(playerReportRoutes.create, { body: await body() })).rejects.toMatchObject(refused);
      expect(await roomCall(`${reporter}-there`, 'reports', await body())).toMatchObject({
        ...{ status: 403, body: { code: 'report_not_heard' } },
      });
      await say(reporter, 'Stop it.');
      const { id } = await one.call(playerReportRoutes.create, { body: await body() });
      expect((await get(id)).externalUserId).toBe(person);
      // Each of several messages: one that they heard does not stand for what was said long after they had left.
      const heard = await say(person, 'heard');
      pass(3_600);
      const evidence = { messageIds: [heard, await say(person, 'not heard')] };
      await expect(one.call(playerReportRoutes.create, { body: { category: 'hate', evidence } })).rejects.toMatchObject(
        refused,
      );
    });

    it('cannot report in the name of somebody else, nor read what moderators read', async () => {
      const one = await playerClient(reporter);
      const body = { externalUserId: person, category: 'spam', reporterUserId: 'somebody' };
      const { id } = await one.call(playerReportRoutes.create, { body });
      expect((await get(id)).reporterUserId).toBe(reporter);
      const refused = await one.call(reportRoutes.list, { params: params() }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(ApiError);
      expect(refused).toMatchObject({ status: 401 });
    });
  });

  describe('somebody in a room', () => {
    it('reports with the room token, with what was just said', async () => {
      await say(person, 'in the room');
      const body = { externalUserId: person, category: 'threats', evidence: { lastSeconds: 60 } };
      const { status, body: receipt } = await roomCall(reporter, 'reports', body);
      expect(status).toBe(201);
      expect(receipt).toMatchObject({ status: 'open', roomId: 'arena', externalUserId: person });
      const stored = await get(receipt.id);
      expect(stored).toMatchObject({ source: 'room', reporterUserId: reporter });
      expect(stored.transcript.map(({ content }) => content)).toContain('in the room');
      const withPage = { ...receipt, url: expect.stringContaining(`${daemon.url}/receipts/`) };
      expect((await roomCall(reporter, `reports/${receipt.id}`)).body).toEqual(withPage);
      expect((await roomCall('another', `reports/${receipt.id}`)).body.code).toBe('report_not_found');
      expect(roomReportRoutes.create.path).toBe('/rooms/{roomId}/reports');
    });
  });

  it('come from the library, with the access of a room', async () => {
    const body = { roomId: 'arena', userId: reporter };
    const access = accessOf(await daemon.client.call(tokenRoutes.generateForProject, { params: params(), body }));
    const request = { externalUserId: person, category: 'hate', evidence: { lastSeconds: 30 } };
    const receipt = await reportByLibrary(access, request);
    expect(await get(receipt.id)).toMatchObject({ source: 'room', reporterUserId: reporter, roomId: 'arena' });
    await expect(reportByLibrary(access, { ...request, externalUserId: reporter })).rejects.toBeInstanceOf(ApiError);
  });

  describe('a person who', () => {
    it('is erased leaves the report without name, words and transcript', async () => {
      const named = await say(person, 'their words');
      const body = {
        reporterUserId: reporter,
        category: 'hate',
        words: 'they said it',
        evidence: { messageIds: [named] },
      };
      const { id } = await report(body);
      await daemon.client.call(personRoutes.erase, { params: { ...params(), user: person } });
      expect(await get(id)).toMatchObject({
        ...{ category: 'hate', status: 'decided', externalUserId: null, words: null },
        ...{ reporterUserId: reporter, transcript: [] },
      });
      await daemon.client.call(personRoutes.erase, { params: { ...params(), user: reporter } });
      expect(await get(id)).toMatchObject({ reporterUserId: null });
    });

    it('gets another id is reported, and reports, under that', async () => {
      await say(person, 'hello');
      const about = await report({ reporterUserId: reporter, externalUserId: person, category: 'spam' });
      const by = await report({ reporterUserId: person, externalUserId: reporter, category: 'spam' });
      const body = { externalUserId: `${person}-new` };
      await daemon.client.call(personMoveRoutes.move, { params: { ...params(), user: person }, body });
      expect(await get(about.id)).toMatchObject({ externalUserId: `${person}-new` });
      expect(await get(by.id)).toMatchObject({ reporterUserId: `${person}-new` });
    });
  });
});
