/** Gatherings in the console: followed by a viewer, run by a moderator. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatheringInvitationRoutes } from '../../src/contract/gatherings/gathering-invitations.js';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';
import { type Gathering, gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { chromiumPath, expectFine, picture, type Visitor } from '../support/browser.js';
import { button, comeAs, inDialog } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

const people = { u_ana: 'Ana Reyes', u_ben: 'Ben Stone', u_eve: 'Eve Marsh' } as const;

describe.skipIf(chromiumPath === null)('gatherings', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let mo: Visitor;
  let viewer: Visitor;
  let raid: Gathering;
  const ids: Record<string, string> = {};
  const params = () => ({ projectId: daemon.projectId });
  const path = () => ({ ...params(), id: raid.id });
  const base = () => `${daemon.url}/console/projects/${daemon.projectId}`;

  beforeAll(async () => {
    daemon = await startDaemon();
    const { admin } = daemon;
    for (const [externalUserId, displayName] of Object.entries(people))
      ids[externalUserId] = (
        await admin.call(participantRoutes.create, { params: params(), body: { externalUserId, displayName } })
      ).id;
    raid = await admin.call(gatheringRoutes.create, {
      params: params(),
      body: { name: 'Friday raid', maxMembers: 3, ...(ids.u_ana === undefined ? {} : { ownerId: ids.u_ana }) },
    });
    [mo, viewer] = await comeAs(daemon, 'moderator', 'viewer');
  }, 120_000);
  afterAll(async () => {
    await Promise.all([mo?.go(), viewer?.go()]);
    await daemon?.stop();
  });

  it('are started, filled and ended by a moderator, while a viewer watches and can do nothing', async () => {
    const { page } = mo;
    await viewer.page.goto(`${base()}/gatherings/${raid.id}`);
    await viewer.page.getByText('1 of 3 seats taken').waitFor();
    await page.goto(`${base()}/gatherings?status=active`);
    await page.getByRole('row', { name: /Friday raid/ }).waitFor();
    await expectFine(mo);
    await button(mo, 'New gathering').click();
    await inDialog(mo, 'New gathering').click();
    await page.getByText('is required').waitFor();
    await page.getByRole('dialog').getByLabel(/^Name/).fill('Cup');
    await page.getByText('earshot gatherings create --name Cup').waitFor();
    await expectFine(mo);
    await inDialog(mo, 'New gathering').click();
    await page.getByRole('heading', { name: /Cup/ }).waitFor();
    await page.goto(`${base()}/gatherings?status=active`);
    await page.getByRole('row', { name: /Friday raid/ }).click();

    const add = page.getByLabel(/^Add/);
    await add.fill('nobody');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('.mantine-TextInput-error').waitFor();
    await expectFine(mo);
    await add.fill('ben');
    await page.getByRole('list', { name: 'People found' }).getByRole('button').click();
    expect(await add.inputValue()).toBe('u_ben');
    await page.getByText(`earshot gatherings add ${raid.joinCode} u_ben`).waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('2 of 3 seats taken').waitFor();
    await page.getByLabel(/^Invite/).fill('u_eve');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('list', { name: 'Invitations' }).getByText('Eve Marsh').waitFor();
    expect(await daemon.admin.call(gatheringInvitationRoutes.list, { params: path() })).toMatchObject([
      { participantId: ids.u_eve, status: 'pending' },
    ]);

    await daemon.admin.call(gatheringMemberRoutes.update, {
      params: { ...path(), memberId: ids.u_ben ?? '' },
      body: { ready: true },
    });
    for (const visitor of [mo, viewer]) {
      const seat = visitor.page.getByRole('list', { name: 'Seats' }).getByRole('listitem');
      await seat.filter({ hasText: 'Ben Stone' }).getByText('ready', { exact: true }).waitFor();
    }
    await picture(mo, 'console-gathering');
    expect(
      await viewer.page
        .getByRole('main')
        .getByRole('button', { name: /start|end|add|remove|invite/i })
        .count(),
    ).toBe(0);
    await expectFine(viewer);

    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await viewer.page.getByText('started', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove Ben Stone' }).click();
    await viewer.page.getByText('1 of 3 seats taken').waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('ended', { exact: true }).waitFor();
    expect((await daemon.admin.call(gatheringRoutes.get, { params: path() })).status).toBe('ENDED');
    expect(await page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0);
    expect([...mo.complaints, ...viewer.complaints]).toEqual([]);
  });
});
