import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { personNoticeRoutes } from '../../src/contract/people/person-notices.js';
import { chromiumPath, expectFine, picture, Visitor } from '../support/browser.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

describe.skipIf(chromiumPath === null)('GET /standing/{code} in a browser', { timeout: 180_000 }, () => {
  let daemon: TestDaemon;
  let visitor: Visitor;
  beforeAll(async () => {
    daemon = await startDaemon();
    visitor = await Visitor.come(null, { viewport: { width: 360, height: 720 } });
  }, 120_000);
  afterAll(async () => {
    await visitor?.go();
    await daemon?.stop();
  });
  const params = () => ({ projectId: daemon.projectId });
  const sanction = async (body: Omit<CreateSanctionRequest, 'externalUserId'>) => {
    const { id } = await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { ...body, externalUserId: 'u_page' },
    });
    const { url } = await daemon.client.call(statementRoutes.get, { params: { ...params(), id } });
    return { id, url: url ?? '' };
  };
  const heading = () => visitor.page.getByRole('heading', { level: 1 });

  it('says what, why and how long on a telephone, with a countdown, and is printed without controls', async () => {
    const { page } = visitor;
    const { url } = await sanction({
      ...{ type: 'temp_ban', duration: 90_061, reason: '<img src=x onerror=alert(1)>' },
      ground: { kind: 'terms', reference: 'Section 4' },
    });
    await page.goto(url);
    await heading().getByText('You are banned for a time').waitFor();
    expect(await page.title()).toBe('You are banned for a time');
    await page.getByText('Reason: <img src=x onerror=alert(1)>').waitFor();
    await page.getByText('It is against the terms of use: Section 4.').waitFor();
    expect(await page.getByRole('timer').textContent()).toMatch(/^1 d 01:00:\d\d$|^1 d 01:01:0[01]$/);
    const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    expect(wide).toBe(false);
    await expectFine(visitor);
    await picture(visitor, 'standing-page');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Send the appeal' }).isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
  });

  it('changes the language, and keeps what was typed', async () => {
    const { page } = visitor;
    await page.getByLabel('Say in your own words').fill('It was not me.');
    await page.getByLabel('Language').selectOption('Deutsch');
    await page.getByRole('heading', { name: 'Du bist für eine gewisse Zeit ausgeschlossen' }).waitFor();
    expect(await page.evaluate<string>('document.documentElement.lang')).toBe('de');
    expect(await page.getByLabel('Sage mit eigenen Worten').inputValue()).toBe('It was not me.');
    await expectFine(visitor);
  });

  it('takes an appeal by keyboard alone, and shows the answer when it is opened again', async () => {
    const { page } = visitor;
    const { id, url } = await sanction({ type: 'mute', duration: 3600 });
    await page.goto(url);
    await heading().getByText('You are muted').waitFor();
    await page.getByLabel('Say in your own words').focus();
    await page.keyboard.type('I only sang.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Your appeal has arrived. Open this page again to read the answer.').waitFor();
    expect(await page.getByRole('button', { name: 'Send the appeal' }).isVisible()).toBe(false);
    const { reviews } = await daemon.client.call(reviewRoutes.list, { params: params(), query: { sanctionId: id } });
    const review = { params: { ...params(), id: reviews[0]?.id ?? '' } };
    await daemon.admin.call(reviewRoutes.update, { ...review, body: { status: 'claimed' } });
    await daemon.admin.call(reviewRoutes.update, {
      ...review,
      body: { status: 'decided', decision: 'overturned', answer: 'You did only sing.' },
    });
    await page.reload();
    await page.getByText('Your appeal was granted. Answer: You did only sing.').waitFor();
    expect(await page.getByRole('timer').isVisible()).toBe(false);
  });

  it('says that an address is wrong, and asks for nothing', async () => {
    const { page } = visitor;
    await page.goto(`${daemon.url}/standing/nothing`);
    await page.getByText('There is no such statement, or it was deleted.').waitFor();
    expect(await page.getByRole('button', { name: 'Send the appeal' }).isVisible()).toBe(false);
  });

  it('shows messages of the team to the person, as text', async () => {
    const { page } = visitor;
    const { url } = await sanction({ type: 'mute', duration: 600 });
    await page.goto(url);
    await page.getByText('You are muted').first().waitFor();
    expect(await page.getByText('Messages to you').isVisible()).toBe(false);
    const body = { text: 'We are <b>sorry</b>.', externalUserIds: ['u_page'] };
    await daemon.client.call(personNoticeRoutes.notify, { params: params(), body });
    await page.reload();
    await page.getByText('We are <b>sorry</b>.').waitFor();
    await expectFine(visitor);
  });
});
