/** The overview says in sentences what waits and what fails; and a return to a screen reads nothing again that is fresh. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { chromiumPath, expectFine, type Visitor } from '../support/browser.js';
import { comeAs } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

describe.skipIf(chromiumPath === null)('the overview', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let receiver: Receiver;
  let visitors: [Visitor, Visitor];
  const params = () => ({ projectId: daemon.projectId });
  const report = (person: string) =>
    daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { externalUserId: person, reporterUserId: `by-${person}`, category: 'harassment' },
    });
  /** The sentences that both see. */
  const sentences = () =>
    Promise.all(
      visitors.map(({ page }) =>
        page
          .getByRole('region', { name: /^What waits/ })
          .locator('li')
          .allTextContents(),
      ),
    );
  const bothSay = (...expected: readonly (string | RegExp)[]) => {
    const one = expected.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text)));
    return expect.poll(sentences, { timeout: 40_000 }).toEqual([one, one]);
  };

  beforeAll(async () => {
    receiver = await startReceiver();
    daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.1/32' } });
    visitors = await comeAs(daemon, 'moderator', 'viewer');
  }, 120_000);
  afterAll(async () => {
    await Promise.all(visitors?.map((visitor) => visitor.go()) ?? []);
    await daemon?.stop();
    await receiver?.stop();
  });

  it('says that all is well where nothing waits', () => bothSay('All is well'));

  it('says how many cases wait, the oldest, and the appeals: the same to moderators and viewers', async () => {
    for (const person of ['u_1', 'u_2', 'u_3']) await report(person);
    const { id } = await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'mute', externalUserId: 'u_4', duration: 600 },
    });
    await bothSay(/^3 cases, oldest \d+ (sec|min) →$/);
    const body = { statement: 'It was my brother.' };
    await daemon.client.call(reviewRoutes.appeal, { params: { ...params(), id }, body });
    await bothSay(/^4 cases, oldest .* →$/, /^1 appeal, oldest .* →$/);
    for (const { page } of visitors) await page.getByText('1 in the last hour').waitFor();
  });

  it('tells what happened in sentences, from the log at once and as it happens, by topic', async () => {
    const [{ page }, viewer] = visitors;
    await page.reload();
    const told = page.getByRole('list', { name: 'Latest events' });
    await told
      .getByRole('listitem')
      .filter({ hasText: /u_4\s*was muted for 10m by an API key/ })
      .waitFor();
    await told
      .getByRole('listitem')
      .filter({ hasText: /u_3\s*was reported for harassment/ })
      .waitFor();
    await told
      .getByRole('listitem')
      .filter({ hasText: /u_4\s*appealed/ })
      .waitFor();
    for (const name of ['u_6', 'u_7', 'u_8'])
      await daemon.client.call(sanctionRoutes.create, {
        params: params(),
        body: { type: 'warn', externalUserId: name },
      });
    await told
      .getByRole('listitem')
      .filter({ hasText: /u_8\s*and 2 others\s*was warned by an API key/ })
      .waitFor();
    expect(await told.getByText('webhook').count()).toBe(0);
    await expectFine(visitors[0]);
    await page.getByLabel('Filter').selectOption('Coming and going');
    await page.getByText('Nothing of this happened yet.').waitFor();
    await page.getByLabel('Filter').selectOption('Moderation');
    await told.getByText('appealed').waitFor();
    await viewer.page.getByRole('list', { name: 'Latest events' }).getByText('appealed').waitFor();
  });

  it('draws the reports and sanctions of today by the hour, as the figures of the day have them', async () => {
    for (const { page } of visitors) {
      const panel = page.getByRole('heading', { name: 'Today, by the hour' }).locator('../..');
      await panel.getByText('3 reports (a week ago by this hour: 0)').waitFor();
      await panel.getByText('4 sanctions (0)').waitFor();
      expect(await panel.getByRole('listitem').count()).toBe(24);
    }
  });

  it('says that webhooks fail, and since when', async () => {
    receiver.answer = 500;
    await daemon.admin.call(webhookRoutes.create, {
      params: params(),
      body: {
        url: receiver.url,
        secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
        events: ['report.*', 'case.*'],
      },
    });
    await report('u_5');
    await bothSay(/^1 webhook has failed for \d+ (sec|min) →$/, /^5 cases/, /^1 appeal/);
    const [{ page }] = visitors;
    await page.getByRole('link', { name: /1 webhook has failed/ }).click();
    await page.getByRole('heading', { name: 'Developers' }).waitFor();
    await page.getByText(/^\d of \d attempts failed$/).waitFor();
    await page.getByText(/^failing for/).waitFor();
  });

  it('leads to the appeals, of which each is decided on its page', async () => {
    for (const { page } of visitors) {
      await page.getByRole('link', { name: 'Overview' }).click();
      await page.getByRole('link', { name: /^1 appeal/ }).click();
      await page.getByRole('heading', { name: 'Appeals', exact: true }).waitFor();
      await page.getByText('It was my brother.').waitFor();
      expect(await page.locator('tr[data-row]').count()).toBe(1);
    }
    const [{ page }] = visitors;
    await page.getByText('It was my brother.').click();
    await page.getByRole('heading', { name: /^Appeal/ }).waitFor();
    await page.getByRole('button', { name: /^Lift the mute/ }).waitFor();
  });

  it('leads to the cases, which the list counts as well', async () => {
    const [{ page }] = visitors;
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: /^5 cases/ }).click();
    await page.getByText('5 of 5').waitFor();
  });

  it('reads nothing again on the return to a screen, until an event has changed it', async () => {
    const [{ page }] = visitors;
    const go = async (name: string) => {
      await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, exact: true }).waitFor();
    };
    const read: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      const [, name] = /\/api\/projects\/[^/]+\/(cases|reporters|sanctions|gatherings)$/.exec(pathname) ?? [];
      if (request.method() === 'GET' && name !== undefined) read.push(name);
    });
    for (const name of ['Gatherings', 'Sanctions', 'Cases']) await go(name);
    await page.waitForTimeout(6_000); // Longer than answers are taken for true that no event keeps fresh.
    read.length = 0;
    for (const name of ['Gatherings', 'Sanctions', 'Cases']) await go(name);
    await page.waitForTimeout(1_000);
    expect(read).toEqual([]);
    await go('Gatherings');
    const { cases } = await daemon.client.call(caseRoutes.list, { params: params(), query: { externalUserId: 'u_5' } });
    const body = { decision: 'no_action', reasonCode: 'no_violation' } as const;
    await daemon.client.call(caseRoutes.decide, { params: { ...params(), id: cases[0]?.id ?? '' }, body });
    await page.waitForTimeout(1_000);
    await go('Sanctions');
    await go('Cases');
    await page.getByText('4 of 4').waitFor();
    expect(read).toContain('cases');
    expect(read.filter((name) => name === 'sanctions' || name === 'gatherings')).toEqual([]);
  });
});
