/** The page of a moderator's link: mute, kick, ban, note and undo beside each person, with their effect in the room. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { blockRoutes } from '../../src/contract/people/blocks.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { roomRestrictionRoutes } from '../../src/contract/rooms/room-restrictions.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { chromiumPath, expectFine, faults, picture, Visitor } from '../support/browser.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';

describe.skipIf(chromiumPath === null)("a moderator's link", { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let mo: Visitor;
  let ben: Visitor;

  beforeAll(async () => {
    daemon = await startDaemon();
    [mo, ben] = await Promise.all([Visitor.come(null), Visitor.come(null)]);
  }, 120_000);

  afterAll(async () => {
    await Promise.all([mo?.go(), ben?.go()]);
    await daemon?.stop();
  });

  const params = () => ({ projectId: daemon.projectId });
  const tokenFor = async (userId: string, displayName: string, moderate: boolean, client = daemon.client) => {
    const body = { roomId: 'court', userId, displayName, permissions: { moderate } };
    return client.call(tokenRoutes.generateForProject, { params: params(), body });
  };
  const enter = async ({ page }: Visitor, ...whom: Parameters<typeof tokenFor>) => {
    const { url, token } = await tokenFor(...whom);
    await page.goto('about:blank');
    await page.goto(`${url}#token=${token}`);
    await page.getByRole('button', { name: 'Join and talk' }).click();
    await page.getByText('You are in the room.').waitFor();
  };
  const button = ({ page }: Visitor, name: string) => page.getByRole('button', { name, exact: true });
  const confirm = ({ page }: Visitor, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true });
  const sanctionsOf = (externalUserId: string) =>
    daemon.admin.call(sanctionRoutes.activeOfUser, { params: { ...params(), externalUserId } });
  const post = (token: string, act: string, body: object, room = 'court') =>
    fetch(`${daemon.url}/rooms/${room}/moderation/${act}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('mutes by keyboard, says until when and why, and takes it back', async () => {
    await enter(mo, 'mo', 'Mo Field', true);
    await enter(ben, 'ben', 'Ben Stone', false);
    await button(mo, 'Mute Ben Stone').focus();
    await mo.page.keyboard.press('Enter');
    await mo.page.getByRole('heading', { name: 'Mute' }).waitFor();
    expect(await mo.page.getByLabel('How long').inputValue()).toBe('600');
    await mo.page.getByLabel('Reason').fill('shouting');
    await expectFine(mo);
    await picture(mo, 'room-moderation');
    await mo.page.keyboard.press('Enter');
    await ben.page.getByText(/A moderator has muted you until .*shouting/).waitFor();
    await mo.page.getByText('muted by a moderator').waitFor();
    const [mute] = await sanctionsOf('ben');
    expect(mute).toMatchObject({ type: 'mute', duration: 600, reason: 'shouting', createdBy: 'player mo' });
    await expectFine(mo);

    await button(mo, 'Undo Ben Stone').click();
    await ben.page.getByText('A moderator has muted you').waitFor({ state: 'hidden' });
    await mo.page.getByText(/Undone: you muted .* for 10 minutes/).waitFor();
    expect(await sanctionsOf('ben')).toEqual([]);
    expect(await button(mo, 'Undo Ben Stone').isVisible()).toBe(false);
  });

  it('writes a note for moderators, and takes it back', async () => {
    const notes = async () => {
      const { participants } = await daemon.admin.call(participantRoutes.list, { params: params(), query: {} });
      const id = participants.find(({ externalUserId }) => externalUserId === 'ben')?.id ?? '';
      return daemon.admin.call(participantRecordRoutes.notes, { params: { ...params(), id } });
    };
    await button(mo, 'Note Ben Stone').click();
    await mo.page.getByLabel('Note, for moderators only').fill('second time today');
    await confirm(mo, 'Note').click();
    await mo.page.getByText('You wrote a note about').waitFor();
    expect(await notes()).toMatchObject([{ text: 'second time today' }]);
    await button(mo, 'Undo').click();
    await mo.page.getByText('Undone: you wrote a note').waitFor();
    expect(await notes()).toEqual([]);
  });

  it.each([
    [
      'de-CH',
      'Beitreten und sprechen',
      'Stummschalten Ben Stone',
      'Wie lange',
      'Du bist ausgeschlossen',
      'Der Ausschluss gilt bis',
    ],
    [
      'fr-CA',
      'Entrer et parler',
      'Couper le micro Ben Stone',
      'Combien de temps',
      'Vous êtes exclu',
      'L’exclusion vaut jusqu’',
    ],
    ['es-MX', 'Entrar y hablar', 'Silenciar Ben Stone', 'Cuánto tiempo', 'Estás expulsado', 'La expulsión vale hasta'],
  ])('speaks the language of the browser: %s', async (locale, join, mute, howLong, banned, lasts) => {
    const there = await Visitor.come(null, { locale });
    const { url, token } = await tokenFor(locale, locale, true);
    await there.page.goto(`${url}#token=${token}`);
    await there.page.getByRole('button', { name: join }).click();
    await button(there, mute).click();
    await there.page.getByRole('dialog').getByText(howLong).waitFor();
    expect(await there.page.evaluate<string>('document.documentElement.lang')).toBe(locale.slice(0, 2));
    await expectFine(there);
    await there.page.keyboard.press('Escape');
    const ban = { type: 'temp_ban', externalUserId: locale, duration: 600 } as const;
    await daemon.admin.call(sanctionRoutes.create, { params: params(), body: ban });
    await there.page.getByRole('heading', { name: banned }).waitFor();
    await there.page.getByText(lasts).waitFor();
    await expectFine(there);
    await there.go();
  });

  it('kicks', async () => {
    await button(mo, 'Kick Ben Stone').click();
    expect(await faults(mo)).toEqual([]);
    await confirm(mo, 'Kick').click();
    await ben.page.getByRole('heading', { name: 'You were removed from the room' }).waitFor();
    await button(mo, 'Kick Ben Stone').waitFor({ state: 'detached' });
  });

  it('bans only with a chosen end, and lets back in by undo', async () => {
    await enter(ben, 'ben', 'Ben Stone', false);
    await button(mo, 'Ban Ben Stone').click();
    await confirm(mo, 'Ban').click(); // without an answer to how long
    expect(await sanctionsOf('ben')).toEqual([]);
    await mo.page.getByLabel('How long').selectOption('until revoked');
    await confirm(mo, 'Ban').click();
    await ben.page.getByRole('heading', { name: 'You are banned' }).waitFor();
    expect(await sanctionsOf('ben')).toMatchObject([{ type: 'perm_ban', createdBy: 'player mo' }]);
    await button(mo, 'Undo').click();
    await mo.page.getByText('Undone: you banned').waitFor();
    expect(await sanctionsOf('ben')).toEqual([]);
    await enter(ben, 'ben', 'Ben Stone', false);
  });

  it('stays in a closed room, while others read why they are out and until when, inside as at the door', async () => {
    const place = { params: { ...params(), roomId: 'court' } };
    const { closed } = await daemon.client.call(roomRestrictionRoutes.close, { ...place, body: { duration: 600 } });
    const end = new Date(closed?.until ?? '');
    const clock = [end.getHours(), end.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
    const words = () => ben.page.locator('#out').innerText();
    await ben.page.getByRole('heading', { name: 'The room is closed' }).waitFor();
    const inside = await words();
    expect(inside).toContain('A moderator has closed it. It stays closed until');
    expect(inside).toContain(clock);
    await expectFine(ben);
    await ben.page.reload();
    await ben.page.getByRole('heading', { name: 'The room is closed' }).waitFor();
    expect(await words()).toBe(inside);
    expect(await mo.page.getByText('You are in the room.').isVisible()).toBe(true);

    await daemon.client.call(roomRestrictionRoutes.close, { ...place, body: {} });
    await ben.page.reload();
    await ben.page.getByText('It stays closed until a moderator opens it.').waitFor();
    await daemon.client.call(roomRestrictionRoutes.reopen, place);
    await enter(ben, 'ben', 'Ben Stone', false);
  });

  it('is recorded under the name of the moderator', async () => {
    const { entries } = await daemon.admin.call(auditRoutes.list, { params: params(), query: {} });
    const own = entries.filter(({ actor }) => actor.kind === 'participant');
    const acts = ['undoInRoom', 'banFromRoom', 'kickFromRoom', 'undoInRoom', 'noteInRoom', 'undoInRoom', 'muteInRoom'];
    expect(own.map(({ action }) => action)).toEqual(acts);
    for (const { actor, targets } of own) {
      expect(actor.name).toBe('player mo');
      expect(targets).toContainEqual({ kind: 'person', id: 'ben', name: 'Ben Stone' });
    }
  });

  it('gives neither buttons nor the operation to others', async () => {
    expect(await ben.page.getByRole('button', { name: /Mute|Kick|Ban|Note/ }).count()).toBe(0);
    const refusal = async (answer: Response) => ({ status: answer.status, ...((await answer.json()) as object) });
    const body = { externalUserId: 'mo', duration: 600 };
    const { token: player } = await tokenFor('ben', 'Ben Stone', false);
    const forbidden = { status: 403, code: 'room_token_forbids' };
    expect(await refusal(await post(player, 'ban', body))).toMatchObject(forbidden);
    expect(await refusal(await post('x.y.z', 'ban', body))).toMatchObject({ status: 401, code: 'room_token_invalid' });

    // A key that may not impose sanctions cannot hand that out.
    const request = { name: 'tokens', scopes: ['tokens' as const] };
    const { key } = await daemon.admin.call(apiKeyRoutes.create, { body: request });
    const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
    const { token: shown } = await tokenFor('ian', 'Ian', true, client);
    expect(await refusal(await post(shown, 'ban', body))).toMatchObject(forbidden);
    expect(await sanctionsOf('mo')).toEqual([]);
  });

  it("reaches only people in the link's own room, and takes back only its own acts", async () => {
    const { token } = await tokenFor('mia', 'Mia', true);
    const act = async (...asked: Parameters<typeof post>) =>
      ((await (await post(...asked)).json()) as { code: string }).code;
    expect(await act(token, 'mute', { externalUserId: 'nobody' })).toBe('peer_not_found');
    expect(await act(token, 'mute', { externalUserId: 'mia' })).toBe('room_token_forbids');
    expect(await act(token, 'mute', { externalUserId: 'ben' }, 'other')).toBe('room_token_invalid');
    const request = { type: 'mute' as const, externalUserId: 'ben', duration: 600 };
    const { id } = await daemon.admin.call(sanctionRoutes.create, { params: params(), body: request });
    expect(await act(token, 'undo', { externalUserId: 'ben', sanctionId: id })).toBe('sanction_not_found');
    const ban = { externalUserId: 'ben' };
    expect(await act(token, 'ban', ban)).toBe('validation_failed');

    const whom = { type: 'temp_ban' as const, externalUserId: 'mia', duration: 600 };
    await daemon.admin.call(sanctionRoutes.create, { params: params(), body: whom });
    expect(await act(token, 'kick', { externalUserId: 'ben' })).toBe('participant_banned');
  });

  it('lets everybody report somebody by keyboard, with a receipt, and block them and take that back', async () => {
    await mo.page.setViewportSize({ width: 360, height: 740 });
    await button(mo, 'Report Ben Stone').focus();
    await mo.page.keyboard.press('Enter');
    await mo.page.getByRole('heading', { name: 'Report' }).waitFor();
    await confirm(mo, 'Report').click(); // without a category
    await mo.page.getByLabel('What it is about').selectOption('Threats');
    await mo.page.getByLabel('What happened').fill('he knows where I live');
    expect(await mo.page.getByLabel('Attach what was said').isChecked()).toBe(true);
    await expectFine(mo);
    await picture(mo, 'room-report');
    await mo.page.getByLabel('What it is about').focus();
    await mo.page.keyboard.press('Tab');
    await mo.page.keyboard.press('Tab');
    await mo.page.keyboard.press('Tab');
    await mo.page.keyboard.press('Tab');
    await mo.page.keyboard.press('Enter');
    const { reports } = await eventually(async () => {
      const found = await daemon.admin.call(reportRoutes.list, { params: params(), query: {} });
      expect(found.total).toBe(1);
      return found;
    });
    expect(reports[0]).toMatchObject({
      ...{ externalUserId: 'ben', reporterUserId: 'mo', category: 'threats', roomId: 'court', source: 'room' },
      ...{ words: 'he knows where I live', language: 'en' },
    });
    await mo.page
      .locator('#told')
      .getByText(/report/i)
      .waitFor();

    await button(mo, 'Block Ben Stone').click();
    await mo.page.getByText('blocked by you').waitFor();
    await mo.page.getByText(/You do not hear .*Ben Stone.* any more/).waitFor();
    await expectFine(mo);
    const blocks = async () =>
      (await daemon.admin.call(blockRoutes.list, { params: { ...params(), user: 'mo' }, query: {} })).blocks;
    expect(await blocks()).toMatchObject([{ blockedUserId: 'ben' }]);
    await button(mo, 'Unblock Ben Stone').click();
    await button(mo, 'Block Ben Stone').waitFor();
    expect(await blocks()).toEqual([]);
    expect(await button(ben, 'Report Mo Field').isVisible()).toBe(true);
  });

  it('has complained of nothing', () => {
    expect([...mo.complaints, ...ben.complaints]).toEqual([]);
  });
});
