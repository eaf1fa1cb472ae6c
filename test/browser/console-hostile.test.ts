/** Markup in the fields that players and colleagues fill, in the console and on the pages of rooms and people. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { sanctionTemplateRoutes } from '../../src/contract/moderation/sanction-templates.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { roomAnnouncementRoutes } from '../../src/contract/rooms/room-announcements.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { chromiumPath, Visitor } from '../support/browser.js';
import { comeAs, hostile, settle } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

/** Keeps what the page's policy has refused, from before its first script. */
const watch = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  (window.refused ??= []).push(violatedDirective + ' ' + blockedURI);
})`;

describe.skipIf(chromiumPath === null)('hostile names and texts', { timeout: 240_000 }, () => {
  let daemon: TestDaemon;
  let admin: Visitor;
  const ids = { session: '', case: '', sanction: '' };

  beforeAll(async () => {
    daemon = await startDaemon();
    await settle(daemon);
    const params = { projectId: daemon.projectId };
    const { admin: api } = daemon;
    const user = hostile.slice(0, 200);
    const person = await api.call(participantRoutes.create, {
      params,
      body: { externalUserId: user, displayName: user, userData: { clan: hostile } },
    });
    await api.call(participantRecordRoutes.addNote, { params: { ...params, id: person.id }, body: { text: hostile } });
    const session = { title: hostile, externalRoomId: user, autoStart: false };
    ids.session = (await api.call(sessionRoutes.create, { params, body: session })).id;
    await api.call(sessionRoutes.say, {
      params: { ...params, id: ids.session },
      body: { externalUserId: user, content: hostile },
    });
    const report = { externalUserId: user, reporterUserId: 'u_ana', category: 'threats', words: hostile };
    ids.case = (await api.call(reportRoutes.create, { params, body: report })).caseId ?? '';
    await api.call(sanctionTemplateRoutes.set, { params: { ...params, name: 'hostile' }, body: { reason: hostile } });
    const mute = { type: 'mute', externalUserId: user, reason: hostile, note: hostile, duration: 3_600 } as const;
    ids.sanction = (await api.call(sanctionRoutes.create, { params, body: mute })).id;
    const gathering = { name: user, ownerId: person.id };
    await api.call(gatheringRoutes.create, { params, body: gathering });
    const counted = { name: user, eventName: 'kill-enemy' };
    await api.call(leaderboardRoutes.create, { params, body: counted });
    await api.call(challengeRoutes.create, { params, body: { ...counted, goal: 3 } });
    await api.call(apiKeyRoutes.create, { body: { name: user, scopes: ['tokens'], projectId: daemon.projectId } });
    await api.call(projectRoutes.create, { body: { name: user } });
    [admin] = await comeAs(daemon, 'admin');
    await admin.page.addInitScript(watch);
  }, 120_000);
  afterAll(async () => {
    await admin?.go();
    await daemon?.stop();
  });

  /** Opens the page, and returns what went wrong there. */
  const faultsAt = async ({ page, complaints }: Visitor, url: string, settled: () => Promise<unknown>) => {
    await page.goto(url);
    await settled();
    const [ran, refused, text] = await page.evaluate<[unknown, unknown, string]>(
      '[window.hacked ?? null, window.refused ?? [], document.body.textContent]',
    );
    const isThere = (await page.locator('img[src="x"], body script').count()) > 0;
    return { shows: text.includes('window.hacked'), faults: { ran, refused, complaints, isThere } };
  };
  const none = { ran: null, refused: [], complaints: [], isThere: false };

  it('are text on the screens that hold most of them, and the policy has nothing to refuse', async () => {
    const user = encodeURIComponent(hostile.slice(0, 200));
    for (const path of ['people', `people/${user}`, `cases/${ids.case}`, `transcripts/${ids.session}`]) {
      const there = admin.page.locator('#content').getByText('window.hacked').first();
      const url = `${daemon.url}/console/projects/${daemon.projectId}/${path}`;
      expect({ path, ...(await faultsAt(admin, url, () => there.waitFor())).faults }).toEqual({ path, ...none });
    }
  });

  it('are text on the pages of a room and of a statement', async () => {
    const params = { projectId: daemon.projectId };
    const visitor = await Visitor.come(null);
    await visitor.page.addInitScript(watch);
    const body = { roomId: 'court', userId: 'u_mal', displayName: hostile.slice(0, 200) };
    const { url, token } = await daemon.client.call(tokenRoutes.generateForProject, { params, body });
    const room = await faultsAt(visitor, `${url}#token=${token}`, async () => {
      await visitor.page.getByRole('button', { name: 'Join and talk' }).click();
      await visitor.page.getByText('You are in the room.').waitFor();
      const at = { ...params, roomId: 'court' };
      await daemon.admin.call(roomAnnouncementRoutes.announce, { params: at, body: { text: hostile } });
      await visitor.page.getByText('Announcement:').first().waitFor();
    });
    expect(room).toEqual({ shows: true, faults: none });
    const statement = await daemon.admin.call(statementRoutes.get, { params: { ...params, id: ids.sanction } });
    const told = await faultsAt(visitor, statement.url, () => visitor.page.locator('#statement').waitFor());
    expect(told).toEqual({ shows: true, faults: none });
    await visitor.go();
  });
});
