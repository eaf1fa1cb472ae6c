/** Two people talk in the room page while the bot writes down what both say. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SanctionType } from '../../src/contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { personNoticeRoutes } from '../../src/contract/people/person-notices.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { roomAnnouncementRoutes } from '../../src/contract/rooms/room-announcements.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { chromiumPath, expectFine, faults, picture, Visitor } from '../support/browser.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { roomProcess } from '../support/room-process.js';
import { clip, lendSpeech, speechForTests, spokenFile } from '../support/speech-clips.js';

const speech = chromiumPath === null ? null : await speechForTests();
const patience = { timeout: 60_000 };

describe.skipIf(speech === null)('two browsers in a room', { timeout: 240_000 }, () => {
  let daemon: TestDaemon;
  let folder: string;
  let ann: Visitor;
  let ben: Visitor;

  beforeAll(async () => {
    if (speech === null) return;
    folder = mkdtempSync(join(tmpdir(), 'earshot-browser-'));
    const record = async (name: string, ...pieces: Parameters<typeof spokenFile>) => {
      const path = join(folder, `${name}.wav`);
      writeFileSync(path, spokenFile(...pieces));
      return path;
    };
    const annSays = await record('ann', 0.5, await clip(speech, 'goforward'), 2);
    const benSays = await record('ben', 1, await clip(speech, 'cards/001'), 1.5);
    daemon = await startDaemon({
      // The address must survive a restart, since links name it.
      settings: { EARSHOT_TRANSCRIBER: 'pocketsphinx', EARSHOT_PORT: String(await freePort()) },
      prepare: (dataDir) => {
        mkdirSync(dataDir, { recursive: true });
        lendSpeech(speech, dataDir);
      },
    });
    [ann, ben] = await Promise.all([Visitor.come(annSays), Visitor.come(benSays, { colorScheme: 'dark' })]);
  }, 180_000);

  afterAll(async () => {
    await Promise.all([ann?.go(), ben?.go()]);
    await daemon?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const params = () => ({ projectId: daemon.projectId });
  const linkFor = async (userId: string, displayName: string, roomId = 'demo', withKey = true) => {
    const body = { roomId, userId, displayName };
    const { url, token, e2ee } = await daemon.client.call(tokenRoutes.generateForProject, { params: params(), body });
    const fragment = new URLSearchParams({ token });
    if (withKey && e2ee !== null) fragment.set('key', e2ee.key ?? '');
    return `${url}#${fragment}`;
  };
  const button = ({ page }: Visitor, name: string | RegExp) => page.getByRole('button', { name });
  const card = ({ page }: Visitor, user: string) => page.locator(`#people [data-user="${user}"]`);
  const hears = (who: Visitor, user: string) => card(who, user).and(who.page.locator('.speaking')).waitFor(patience);
  const reads = (who: Visitor, words: RegExp) =>
    who.page.locator('#transcript li', { hasText: words }).first().waitFor({ timeout: 120_000 });
  const isIn = (who: Visitor) => who.page.getByText('You are in the room.').waitFor(patience);
  const enter = async (who: Visitor, link: string) => {
    await who.page.goto(link);
    await button(who, 'Join and talk').click();
    await isIn(who);
  };
  const listen = async (roomId: string) => {
    const body = { title: 'Demo', externalRoomId: roomId };
    const { id } = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    await eventually(async () => {
      const { bot } = await daemon.client.call(sessionRoutes.get, { params: { ...params(), id } });
      expect(bot.state).toBe('listening');
    });
  };
  const impose = (type: SanctionType, externalUserId: string, reason: string) =>
    daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type, externalUserId, reason, ...(type === 'warn' ? {} : { duration: 600 }) },
    });
  const lift = ({ id }: { id: string }) =>
    daemon.client.call(sanctionRoutes.revoke, { params: { ...params(), id }, body: {} });

  it('says before anybody joins who is there and that the room is transcribed', async () => {
    await listen('demo');
    await ann.page.goto(await linkFor('ann', 'Ann Lee'));
    await ann.page.getByText('This room is transcribed').waitFor();
    await ann.page.getByText('You will join as Ann Lee.').waitFor();
    expect(ann.page.url()).not.toContain('token');
    expect(await faults(ann)).toEqual([]);
    await picture(ann, 'room-lobby');
  });

  it('lets them hear each other, and writes down what both say', async () => {
    await button(ann, 'Join and talk').click();
    await isIn(ann);
    await enter(ben, await linkFor('ben', 'Ben Stone'));
    await Promise.all([hears(ann, 'ben'), hears(ben, 'ann')]);
    await Promise.all([reads(ann, /go forward ten meters/), reads(ben, /ten of clubs/)]);
    await hears(ann, 'ben');
    await picture(ann, 'room-talking');
    expect([...(await faults(ann)), ...(await faults(ben))]).toEqual([]);
  });

  it('shows a mute to the muted, with reason and end, and to the others; then nobody hears them', async () => {
    const mute = await impose('mute', 'ben', 'shouting over others');
    const announced = { params: { ...params(), roomId: 'demo' }, body: { text: 'The final begins at nine.' } };
    expect(await daemon.client.call(roomAnnouncementRoutes.announce, announced)).toMatchObject({ people: 2 });
    for (const who of [ann, ben]) {
      await who.page.locator('#announced', { hasText: announced.body.text }).waitFor(patience);
      await reads(who, /Announcement: The final begins at nine\./);
    }
    await ben.page.locator('#dismiss-announcement').click();
    await ben.page.locator('#announced').waitFor({ ...patience, state: 'hidden' });
    const notice = { text: 'A message for Ben.', externalUserIds: ['ben'] };
    await daemon.client.call(personNoticeRoutes.notify, { params: params(), body: notice });
    await ben.page.getByText('Message to you: A message for Ben.').waitFor(patience);
    expect(await ann.page.getByText(notice.text).count()).toBe(0);
    await ben.page.locator('#dismiss-notice').click();
    await impose('warn', 'ben', 'mind your language');
    await ben.page.getByText(/A moderator has muted you until .*shouting over others/).waitFor();
    await ben.page.getByText('mind your language').waitFor();
    await card(ann, 'ben').getByText('muted by a moderator').waitFor();
    expect(await faults(ben)).toEqual([]);
    await picture(ben, 'room-muted');
    await button(ben, 'Understood').click();
    await ben.page.getByText('mind your language').waitFor({ state: 'hidden' });

    await lift(mute);
    await ben.page.getByText('A moderator has muted you').waitFor({ state: 'hidden' });
    await hears(ann, 'ben');
  });

  it('says how long others hear somebody whose speech is limited', async () => {
    const limit = await impose('rate_limit', 'ben', 'one at a time');
    const told = ben.page.getByText(
      /limits your speech until .*: others hear you for 20 seconds per minute.*one at a time/,
    );
    await told.waitFor();
    await ben.page.reload();
    await told.waitFor(); // before he joins, too
    expect(await faults(ben)).toEqual([]);
    await lift(limit);
    await told.waitFor({ state: 'hidden' });
    await button(ben, 'Join and talk').click();
    await isIn(ben);
  });

  it('switches the own microphone off and on', async () => {
    await button(ann, 'Microphone on').click();
    await button(ann, 'Microphone off').waitFor();
    await card(ann, 'ann').and(ann.page.locator('.speaking')).waitFor({ state: 'detached' });
    await button(ann, 'Microphone off').click();
    await hears(ann, 'ann');
  });

  it('comes back by itself when the room process has died', async () => {
    process.kill(roomProcess(), 'SIGKILL');
    await ann.page.getByText('trying again').waitFor();
    await Promise.all([isIn(ann), isIn(ben)]);
    await Promise.all([hears(ann, 'ben'), hears(ben, 'ann')]);
  });

  it('comes back by itself, with the same link, when the daemon was restarted', async () => {
    await daemon.restart();
    await Promise.all([hears(ann, 'ben'), hears(ben, 'ann')]);
    await Promise.all([isIn(ann), isIn(ben)]);
    await card(ann, 'earshot-bot').waitFor();
  });

  it('survives a reload, and leaves when its window takes the way out', async () => {
    await ann.page.reload();
    await button(ann, 'Join and talk').click();
    await isIn(ann);
    await button(ann, 'Leave').click();
    await card(ben, 'ann').waitFor({ state: 'detached' });
  });

  it('says the same to who is banned inside as at the door: why, and until when by the clock of the browser', async () => {
    const ban = await impose('temp_ban', 'ben', 'threats');
    const words = () => ben.page.locator('#out').innerText();
    await ben.page.getByRole('heading', { name: 'You are banned' }).waitFor();
    const inside = await words();
    const end = new Date(ban.endAt ?? '');
    const clock = `${String(end.getHours()).padStart(2, '0')}:${String(end.getMinutes()).padStart(2, '0')}`;
    expect(inside).toMatch(new RegExp(`The ban lasts until .*${clock}.*\\. Reason: threats\\.`));
    await ben.page.reload();
    await ben.page.getByRole('heading', { name: 'You are banned' }).waitFor();
    expect(await words()).toBe(inside);
    await expectFine(ben);
    await lift(ban);
    await enter(ben, await linkFor('ben', 'Ben Stone'));
  });

  it('puts out who is kicked, and says so', async () => {
    await daemon.client.call(roomRoutes.kick, { params: { ...params(), roomId: 'demo', externalUserId: 'ben' } });
    await ben.page.getByRole('heading', { name: 'You were removed from the room' }).waitFor();
    await ben.page.getByText('A moderator removed you').waitFor();
    await ben.page.reload();
    await ben.page.getByRole('heading', { name: 'The room does not open' }).waitFor();
  });

  it('seals the sound end to end where the room asks for it, and lets nobody in without the key', async () => {
    await daemon.client.call(settingsRoutes.e2eEncryption, {
      params: params(),
      body: { mode: 'manual', password: 'swordfish' },
    });
    await listen('sealed');
    await ben.page.goto(await linkFor('cy', 'Cy', 'sealed', false));
    await button(ben, 'Join and talk').click();
    await ben.page.getByText('your link does not carry its key').waitFor();
    await Promise.all([
      enter(ann, await linkFor('ann', 'Ann Lee', 'sealed')),
      enter(ben, await linkFor('ben', 'Ben', 'sealed')),
    ]);
    await Promise.all([hears(ann, 'ben'), hears(ben, 'ann')]);
    await reads(ben, /go forward ten meters/);
  });

  it('has complained of nothing', () => {
    expect([...ann.complaints, ...ben.complaints]).toEqual([]);
  });
});
