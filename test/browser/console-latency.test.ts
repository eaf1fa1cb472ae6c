/** No sentence of the console stands before its answer: each screen, with answers that take their time. */
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { sanctionTemplateRoutes } from '../../src/contract/moderation/sanction-templates.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { chromiumPath, type Visitor } from '../support/browser.js';
import { comeAs, enterRoom, settle } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

const latencyMs = 400;
const slowBytesPerSecond = 50 * 1_024;

/** Notes each text that says "nothing", in so many words, as soon as it is in the page. */
const watch = `(() => {
  const nothing = /^(no|nobody|nothing|none|0|all is well|ready)(?![\\w-])/i;
  const seen = (window.seenNothing = new Set());
  const standing = () => {
    const found = new Set();
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.data.trim();
      const parent = node.parentElement;
      if (nothing.test(text) && parent !== null && !/^(SCRIPT|STYLE|OPTION)$/.test(parent.tagName)) found.add(text);
    }
    return found;
  };
  window.goneNothing = () => [...seen].filter((text) => !standing().has(text));
  new MutationObserver(() => {
    for (const text of standing()) seen.add(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });
})()`;

describe.skipIf(chromiumPath === null)('the console on a slow network', { timeout: 600_000 }, () => {
  let daemon: TestDaemon;
  let admin: Visitor;
  let talker: Visitor;
  let scene: Awaited<ReturnType<typeof settle>>;
  let caseId = '';
  let gatheringId = '';

  beforeAll(async () => {
    daemon = await startDaemon();
    scene = await settle(daemon, { name: 'Eve Marsh', text: 'Leave me alone.' });
    const params = { projectId: daemon.projectId };
    const call = daemon.admin.call.bind(daemon.admin);
    const report = { externalUserId: 'u_ben', reporterUserId: 'u_ana', category: 'harassment' } as const;
    await call(reportRoutes.create, { params, body: report });
    const [first] = (await call(caseRoutes.list, { params, query: {} })).cases;
    caseId = first?.id ?? '';
    await call(challengeRoutes.create, { params, body: { name: 'Three down', eventName: 'kill-enemy', goal: 3 } });
    await call(leaderboardRoutes.create, { params, body: { name: 'Kills', eventName: 'kill-enemy' } });
    await call(battlePassRoutes.create, { params, body: { name: 'Winter' } });
    await call(apiKeyRoutes.create, {
      body: { name: 'match server', scopes: ['gameplay'], projectId: daemon.projectId },
    });
    await call(sanctionTemplateRoutes.set, { params: { ...params, name: 'insult' }, body: { reason: 'Insults' } });
    await call(webhookRoutes.create, {
      params,
      body: { url: 'https://example.com/hook', events: ['*'], secret: 'a secret of some length, for signatures' },
    });
    gatheringId = (await call(gatheringRoutes.create, { params, body: { name: 'Evening match', maxMembers: 4 } })).id;
    [admin, talker] = await comeAs(daemon, 'admin', 'viewer');
    await enterRoom(talker, daemon, 'u_ana', 'Ana Reyes');
    await admin.page.addInitScript(watch);
  }, 180_000);
  afterAll(async () => {
    await Promise.all([admin?.go(), talker?.go()]);
    await daemon?.stop();
  });

  /** Opens each screen anew; returns what it said before it was known, and how many such texts stayed. */
  async function lookAtAll() {
    const { page } = admin;
    const paths = [
      ...['overview', 'rooms', 'rooms/court', 'cases', `cases/${caseId}`, 'people', 'people/u_ben', 'sanctions'],
      ...['sanctions?view=templates', `sanctions/${scene.mute.id}`, 'transcripts', `transcripts/${scene.session.id}`],
      ...['transcripts?search=idiot', 'gatherings', `gatherings/${gatheringId}`],
      ...['challenges', 'passes', 'boards', 'player?user=u_ben', 'season'].map((tab) => `gameplay/${tab}`),
      ...['events', 'webhooks', 'keys', 'providers'].map((tab) => `developers/${tab}`),
      ...['settings', 'people', 'plugins', 'rules', 'audit', 'statistics'].map((tab) => `administration/${tab}`),
    ];
    const wrong: Record<string, unknown> = {};
    let noted = 0;
    for (const path of paths) {
      await page.goto(`${daemon.url}/console/projects/${daemon.projectId}/${path}`);
      await page.locator('h1').first().waitFor();
      await page.waitForTimeout(2 * latencyMs);
      await expect.poll(() => page.locator('[aria-busy="true"]').count(), { timeout: 30_000, message: path }).toBe(0);
      await page.waitForTimeout(2 * latencyMs);
      const gone = await page.evaluate<string[]>('window.goneNothing()');
      if (gone.length > 0) wrong[path] = gone;
      noted += await page.evaluate<number>('window.seenNothing.size');
    }
    return { wrong, noted };
  }

  it('says nothing of what it does not know yet, at 50 KB/s', async () => {
    const network = await admin.page.context().newCDPSession(admin.page);
    const conditions = { offline: false, latency: 0, downloadThroughput: slowBytesPerSecond, uploadThroughput: -1 };
    await network.send('Network.emulateNetworkConditions', conditions);
    const { wrong, noted } = await lookAtAll();
    await network.detach();
    expect(wrong).toEqual({});
    expect(noted, 'some say it for good').toBeGreaterThan(0);
  });

  it('says nothing of what it does not know yet, at 400 ms of latency', async () => {
    await admin.page.route(/\/(api|health)\//, async (route: Route) => {
      await new Promise((resolve) => setTimeout(resolve, latencyMs));
      await route.continue();
    });
    const { wrong, noted } = await lookAtAll();
    expect(wrong).toEqual({});
    expect(noted, 'some say it for good').toBeGreaterThan(0);
  });
});
