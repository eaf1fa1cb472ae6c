/** Markup in the fields that players and colleagues fill, in the console and on the pages of rooms and people. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { battlePassLevelRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionTemplateRoutes } from '../../src/contract/moderation/sanction-templates.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { roomAnnouncementRoutes } from '../../src/contract/rooms/room-announcements.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { chromiumPath, Visitor } from '../support/browser.js';
import { colleaguePassword, comeAs, hostile, settle } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

/** Keeps what the page's policy has refused, from before its first script. */
const watch = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  (window.refused ??= []).push(violatedDirective + ' ' + blockedURI);
})`;

describe.skipIf(chromiumPath === null)('hostile names and texts', { timeout: 240_000 }, () => {
  let daemon: TestDaemon;
  let admin: Visitor;
  const user = hostile.slice(0, 200);
  const ids: Record<
    | 'session'
    | 'case'
    | 'appeal'
    | 'sanction'
    | 'gathering'
    | 'board'
    | 'challenge'
    | 'pass'
    | 'rule'
    | 'plugin'
    | 'hook',
    string
  > = {
    ...{ session: '', case: '', appeal: '', sanction: '', gathering: '', board: '', challenge: '', pass: '' },
    ...{ rule: '', plugin: '', hook: '' },
  };

  beforeAll(async () => {
    daemon = await startDaemon();
    await settle(daemon);
    const params = { projectId: daemon.projectId };
    const { admin: api } = daemon;
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
    const appealed = { params: { ...params, id: ids.sanction }, body: { statement: hostile } };
    ids.appeal = (await api.call(reviewRoutes.appeal, appealed)).id;
    const gathering = { name: user, description: hostile, ownerId: person.id, properties: { map: hostile } };
    ids.gathering = (await api.call(gatheringRoutes.create, { params, body: gathering })).id;
    const counted = { name: user, eventName: 'kill-enemy' };
    ids.board = (await api.call(leaderboardRoutes.create, { params, body: counted })).id;
    const played = { ...params, userId: user };
    await api.call(playerRoutes.sendEvent, {
      params: played,
      body: { event_name: 'kill-enemy', metadata: { amount: 1 } },
    });
    const texts = { name: { en: user, de: user }, description: hostile, icon: hostile, reward: hostile };
    const challenge = await api.call(challengeRoutes.create, { params, body: { ...counted, ...texts, goal: 3 } });
    ids.challenge = challenge.id;
    await api.call(playerRoutes.unlock, { params: { ...played, id: challenge.id } });
    ids.pass = (await api.call(battlePassRoutes.create, { params, body: { name: user, description: hostile } })).id;
    await api.call(battlePassLevelRoutes.create, {
      params: { ...params, id: ids.pass },
      body: { position: 1, rewardAmount: hostile, challenges: [{ ...counted, goal: 3 }] },
    });
    await api.call(apiKeyRoutes.create, { body: { name: user, scopes: ['tokens'], projectId: daemon.projectId } });
    await api.call(projectRoutes.create, { body: { name: user } });
    const url = `http://127.0.0.1:9/?q=${encodeURIComponent('"><img src=x onerror=window.hacked=1>')}`;
    const hook = { url, secret: 'a long secret', events: ['session.*'], description: hostile };
    ids.hook = (await api.call(webhookRoutes.create, { params, body: hook })).id;
    const words = { words: [user] };
    ids.plugin = (
      await api.call(pluginInstanceRoutes.create, { params, body: { pluginId: 'toxicity', settings: words } })
    ).id;
    const definition = {
      format: 1 as const,
      when: { all: [{ words: { any: [user] } }] },
      steps: [[{ sanction: { type: 'warn' as const, reason: hostile } }]],
    };
    ids.rule = (await api.call(ruleRoutes.create, { params, body: { name: user, definition } })).id;
    const settings = { botUserId: user, speechVocabulary: ['<img src=x onerror=window.hacked=1>'] };
    await api.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded', ...settings } });
    const invited = { params, body: { email: 'eve@example.com', role: 'viewer' } } as const;
    const { invitationUrl } = await api.call(projectUserRoutes.invite, invited);
    const token = new URL(invitationUrl ?? '').hash.replace('#token=', '');
    const account = { token, password: colleaguePassword, displayName: user };
    await new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.acceptInvitation, { body: account });
    [admin] = await comeAs(daemon, 'admin');
    await admin.page.addInitScript(watch);
  }, 120_000);
  afterAll(async () => {
    await admin?.go();
    await daemon?.stop();
  });

  /** Returns what went wrong on the page so far. */
  const faultsOf = async ({ page, complaints }: Visitor) => {
    const [ran, refused] = await page.evaluate<[unknown, unknown]>('[window.hacked ?? null, window.refused ?? []]');
    const isThere = (await page.locator('img[src="x"], body script').count()) > 0;
    return { ran, refused, complaints, isThere };
  };
  const none = { ran: null, refused: [], complaints: [], isThere: false };

  /** Every page of the console; those of the second list show the texts in fields, or show none. */
  const pages = (): readonly (readonly [path: string, isText: boolean])[] => {
    const name = encodeURIComponent(user);
    const text = [
      ...['cases', `cases/${ids.case}`, `cases/${ids.appeal}`, 'people', `people/${name}`],
      ...['sanctions', `sanctions/${ids.sanction}`, 'sanctions?view=templates', 'transcripts', 'transcripts?q=hacked'],
      ...[`transcripts/${ids.session}`, 'gatherings', `gatherings/${ids.gathering}`, 'gameplay/challenges'],
      ...[
        'gameplay/passes',
        `gameplay/passes?open=${ids.pass}`,
        'gameplay/boards',
        `gameplay/boards?open=${ids.board}`,
      ],
      ...[`gameplay/player?user=${name}`, 'developers/events', 'developers/webhooks', 'developers/keys'],
      ...['administration/rules', `administration/rules?open=${ids.rule}`],
      ...['administration/audit', `rooms/${name}`],
    ];
    const fields = [
      ...[
        'overview',
        'rooms',
        'sanctions?view=batches',
        'administration/people',
        'administration/plugins',
        `gameplay/challenges?open=${ids.challenge}`,
        'gameplay/season',
      ],
      ...['gameplay/simulation', `developers/webhooks?open=${ids.hook}`, 'developers/providers', 'developers/api'],
      ...['administration/settings', `administration/plugins?open=${ids.plugin}`, 'administration/statistics'],
    ];
    return [...text.map((path) => [path, true] as const), ...fields.map((path) => [path, false] as const)];
  };

  it('are text on every page of the console, and the policy has nothing to refuse', async () => {
    const { page } = admin;
    const base = `/console/projects/${daemon.projectId}`;
    await page.goto(`${daemon.url}${base}/overview`);
    await page.locator('#content h1').waitFor();
    const wrong: unknown[] = [];
    for (const [path, isText] of pages()) {
      await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`${base}/${path}`)})`);
      const there = page.locator('#content, [role=dialog]').getByText('window.hacked').first();
      if (isText) await there.waitFor({ timeout: 10_000 }).catch(() => wrong.push({ path, isMissing: true }));
      else await page.waitForTimeout(500);
      const faults = await faultsOf(admin);
      if (JSON.stringify(faults) !== JSON.stringify(none)) wrong.push({ path, ...faults });
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('img src');
    await page
      .getByRole('option', { name: /window\.hacked/ })
      .first()
      .waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(wrong).toEqual([]);
  });

  it('are text on the pages of a room and of a statement', async () => {
    const params = { projectId: daemon.projectId };
    const visitor = await Visitor.come(null);
    await visitor.page.addInitScript(watch);
    const body = { roomId: 'court', userId: 'u_mal', displayName: hostile.slice(0, 200) };
    const { url, token } = await daemon.client.call(tokenRoutes.generateForProject, { params, body });
    await visitor.page.goto(`${url}#token=${token}`);
    await visitor.page.getByRole('button', { name: 'Join and talk' }).click();
    await visitor.page.getByText('You are in the room.').waitFor();
    const at = { ...params, roomId: 'court' };
    await daemon.admin.call(roomAnnouncementRoutes.announce, { params: at, body: { text: hostile } });
    await visitor.page
      .getByText(/Announcement:.*window\.hacked/)
      .first()
      .waitFor();
    expect(await faultsOf(visitor)).toEqual(none);
    await admin.page.goto(`${daemon.url}/console/projects/${daemon.projectId}/rooms/court`);
    await admin.page.getByRole('button', { name: /window\.hacked/ }).waitFor();
    expect(await faultsOf(admin)).toEqual(none);
    const statement = await daemon.admin.call(statementRoutes.get, { params: { ...params, id: ids.sanction } });
    await visitor.page.goto(statement.url ?? '');
    await visitor.page.locator('#statement').getByText('window.hacked').first().waitFor();
    expect(await faultsOf(visitor)).toEqual(none);
    await visitor.go();
  });
});
