/** Gameplay in the console: configured by an administrator, tried with a test event, read by a viewer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { chromiumPath, expectFine, picture, type Visitor } from '../support/browser.js';
import { button, comeAs, inDialog } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

const reached = { name: 'Three down', reached: 60, share: 0.6, onDay: { median: 2 }, overTime: [0, 0.2, 0.45, 0.6] };
const outcome = {
  ...{ players: 100, events: 4_200, startsAt: '2027-01-01T00:00:00Z', endsAt: '2027-01-15T00:00:00Z' },
  challenges: [reached],
  battlePasses: [{ name: 'Winter', levels: [{ ...reached, name: 'One' }] }],
  leaderboards: [{ key: 'kills', members: 100, best: 80, median: 12 }],
};

describe.skipIf(chromiumPath === null)('gameplay', { timeout: 180_000 }, () => {
  let daemon: TestDaemon;
  let admin: Visitor;
  let viewer: Visitor;
  const params = () => ({ projectId: daemon.projectId });
  const at = (tab: string) => `${daemon.url}/console/projects/${daemon.projectId}/gameplay/${tab}`;

  beforeAll(async () => {
    daemon = await startDaemon();
    [admin, viewer] = await comeAs(daemon, 'admin', 'viewer');
  }, 180_000);
  afterAll(async () => {
    await Promise.all([admin?.go(), viewer?.go()]);
    await daemon?.stop();
  });

  it('makes a challenge with the checks of the contract, and changes it', async () => {
    const { page } = admin;
    await page.goto(at('challenges'));
    await page.getByText('No challenge yet').waitFor();
    await button(admin, 'New challenge').click();
    await page.getByRole('dialog').getByLabel(/^Name/).fill('Three down');
    await page.getByLabel(/^Game event/).selectOption('kill-enemy');
    await page.getByLabel(/^Goal/).fill('0');
    await page.getByText('must be at least 1').waitFor();
    await page.getByLabel(/^Goal/).fill('3');
    await button(admin, '+ Condition').click();
    await page.getByLabel('Property', { exact: true }).selectOption('enemy_type');
    await page.getByLabel('Values', { exact: true }).fill('orc, 3');
    await page.getByLabel('Restarts', { exact: true }).check();
    await inDialog(admin, 'Create').click();
    await page.getByText('is required').waitFor();
    await page.getByLabel('Restarts every').selectOption({ label: 'week, on Monday' });
    await page.getByLabel('Time limit').fill('soon');
    await page.getByText(/^must be a/).waitFor();
    await page.getByLabel('Time limit').fill('2h');
    await expectFine(admin);
    await picture(admin, 'console-challenge-form');
    await page.getByRole('button', { name: 'Remove Conditions 1' }).click();
    await page.getByLabel('Restarts', { exact: true }).uncheck();
    await page.getByLabel('Time limit').fill('');
    await page.getByText("earshot challenges create --name 'Three down' --event-name kill-enemy --goal 3").waitFor();
    await inDialog(admin, 'Create').click();
    await page.getByRole('heading', { name: 'Three down' }).waitFor();
    await page.getByLabel('Goal', { exact: true }).fill('5');
    await page.getByText("earshot challenges update 'Three down' --goal 5").waitFor();
    await button(admin, 'Save').click();
    const goals = async () =>
      (await daemon.admin.call(challengeRoutes.list, { params: params() })).challenges.map(({ goal }) => goal);
    await expect.poll(goals).toEqual([5]);
    await expectFine(admin);
  });

  it('makes a battle pass with a level', async () => {
    const { page } = admin;
    await page.goto(at('passes'));
    await button(admin, 'New battle pass').click();
    await page.getByRole('dialog').getByLabel(/^Name/).fill('Winter');
    await inDialog(admin, 'Create').click();
    await page.getByText('No level yet').waitFor();
    await page.getByRole('button', { name: 'New level…' }).click();
    await page.getByLabel('Kind of reward', { exact: true }).fill('coin');
    await page.getByLabel('Reward', { exact: true }).fill('100');
    await button(admin, '+ Challenge').click();
    await page.getByRole('dialog').getByLabel(/^Name/).fill('Three down');
    await page.getByLabel(/^Game event/).selectOption('kill-enemy');
    await page.getByLabel(/^Goal/).fill('3');
    await expectFine(admin);
    await inDialog(admin, 'Create').click();
    await page.getByRole('cell', { name: 'Three down (3 kill-enemy)' }).waitFor();
    await expectFine(admin);
    expect((await daemon.admin.call(battlePassRoutes.list, { params: params() })).total).toBe(1);
  });

  it('sends a test event and shows what it moved, gives progress, and shows the places around a player', async () => {
    const { page } = admin;
    await daemon.admin.call(leaderboardRoutes.create, {
      params: params(),
      body: { name: 'Most kills', eventName: 'kill-enemy' },
    });
    const { challenges } = await daemon.admin.call(challengeRoutes.list, { params: params() });
    const path = { ...params(), userId: 'u_ana', id: challenges[0]?.id ?? '' };
    await daemon.admin.call(playerRoutes.unlock, { params: path });
    await daemon.admin.call(playerRoutes.activate, { params: path });
    await page.goto(at('player'));
    await page.getByLabel(/^Player/).fill('u_ana');
    await button(admin, 'Show').click();
    await page.getByText('0 / 5').waitFor();
    await page.getByLabel(/^Game event/).selectOption('win-match');
    await button(admin, 'Send the event').click();
    await page.getByText('is required').nth(3).waitFor();
    expect(await page.getByLabel(/^Home score/).getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel(/^Game event/).selectOption('kill-enemy');
    await page.getByLabel(/^Amount/).fill('1');
    await page.getByText('earshot game-events send kill-enemy --user u_ana').waitFor();
    await button(admin, 'Send the event').click();
    const moved = page.locator('section.panel', { hasText: 'What it moved' });
    await moved.getByRole('cell', { name: '#1, 1' }).waitFor();
    await moved.getByRole('cell', { name: '1 / 5, in-progress' }).waitFor();
    await expectFine(admin);
    await picture(admin, 'console-player');
    await page.getByRole('button', { name: 'Give progress…' }).click();
    await page.getByLabel('Add', { exact: true }).fill('2');
    await inDialog(admin, 'Give progress').click();
    await page.getByText('is required').waitFor();
    await page.getByLabel(/^Reason/).fill('lost in a crash');
    await inDialog(admin, 'Give progress').click();
    await page.getByText('3 / 5').first().waitFor();
    await page.goto(at('boards'));
    await page.getByRole('row', { name: /Most kills/ }).click();
    await page.getByLabel('Around player').fill('u_ana');
    await page.getByText("earshot leaderboards member 'Most kills' u_ana --around 5").waitFor();
    await page.getByRole('row', { name: /u_ana/ }).waitFor();
    await expectFine(admin);
    // Before it is deleted, the number of players whose progress goes with it is shown.
    await button(admin, 'Delete').click();
    await page.getByRole('dialog').getByText('The progress of 1 player goes with it.').waitFor();
    await expectFine(admin);
    await page.keyboard.press('Escape');
  });

  it('shows the archive of a board, and how far the players of a challenge are', async () => {
    const { page } = admin;
    const sent = await fetch(`${daemon.url}/api/v1/events?auth=api_key`, {
      method: 'POST',
      headers: { authorization: `Bearer ${daemon.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ user_id: 'u_eva', event_name: 'kill-enemy', event_type: 'single', session_id: 'm' },
        meta_data: { amount: 1 },
      }),
    });
    expect(sent.status).toBe(200);
    await page.goto(at('boards'));
    await page.getByRole('row', { name: /Most kills/ }).click();
    const ranking = page.getByRole('region', { name: 'Ranking' });
    await ranking.getByRole('row', { name: /u_eva/ }).waitFor();
    await button(admin, 'Reset').click();
    await inDialog(admin, 'Reset').click();
    await ranking.getByRole('row', { name: /u_eva/ }).waitFor({ state: 'detached' });
    await page.getByLabel('Period').selectOption({ index: 1 });
    await ranking.getByRole('row', { name: /u_eva 1/ }).waitFor();
    await page.getByText(/earshot leaderboards show 'Most kills' --period-id/).waitFor();
    await expectFine(admin);
    await viewer.page.goto(page.url());
    await viewer.page.getByRole('row', { name: /u_eva/ }).waitFor();
    await page.goto(at('challenges'));
    await page.getByRole('row', { name: /Three down/ }).click();
    await page.getByText(/^\d+ % of .*have completed it\.$/).waitFor();
    await page.locator('.recharts-bar-rectangle').first().waitFor();
    await page
      .getByRole('table', { name: 'How far players are' })
      .getByRole('row', { name: /in progress 1/ })
      .waitFor({ state: 'attached' });
    await expectFine(admin);
  });

  it('compares a season file with what is there, line by line, and applies it', async () => {
    const { page } = admin;
    await page.goto(at('season'));
    const file = page.getByLabel('Season file in YAML');
    const text = await file.inputValue();
    expect(text).toContain('goal: 5');
    await file.fill(text.replace('goal: 5', 'goal: none'));
    await page.getByText(/^\d+:\d+ .*goal: must be a/).waitFor();
    await expectFine(admin);
    await file.fill(text.replace('goal: 5', 'goal: 7'));
    await button(admin, 'Compare').click();
    await page.getByText('1 change; nothing is applied yet.').waitFor();
    await page.getByRole('list', { name: 'Differences' }).getByRole('cell', { name: '7' }).waitFor();
    await expectFine(admin);
    await picture(admin, 'console-season');
    expect(await button(admin, 'Apply').isDisabled()).toBe(false);
    const prune = page.getByLabel(/^Delete what the file does not list/);
    await prune.check();
    expect(await button(admin, 'Apply').isDisabled(), 'what was compared would be deleted, too').toBe(true);
    await prune.uncheck();
    await button(admin, 'Compare').click();
    await page.getByText('1 change; nothing is applied yet.').waitFor();
    await file.fill(text.replace('goal: 5', 'goal: 6'));
    expect(await button(admin, 'Apply').isDisabled(), 'another file was compared').toBe(true);
    await file.fill(text.replace('goal: 5', 'goal: 7'));
    await button(admin, 'Compare').click();
    await page.getByText('1 change; nothing is applied yet.').waitFor();
    await button(admin, 'Apply').click();
    await page.getByText('1 change applied.').waitFor();
    const { challenges } = await daemon.admin.call(challengeRoutes.list, { params: params() });
    expect(challenges).toMatchObject([{ goal: 7 }]);
  });

  it('names the players who lose progress before it deletes, and restores it', async () => {
    const { page } = admin;
    await page.goto(at('season'));
    await page.getByLabel('Season file in YAML').fill('{}');
    await page.getByLabel(/^Delete what the file does not list/).check();
    await page.getByLabel(/^Overwrite changes/).check();
    await button(admin, 'Compare').click();
    await page.getByText(/has no objects, so with prune everything in the project would be deleted/).waitFor();
    await page.getByLabel(/^Accept a file without objects/).check();
    await button(admin, 'Compare').click();
    await button(admin, 'Apply').click();
    await page
      .getByRole('list', { name: 'Deleted with progress of players' })
      .getByText('1 player is deleted')
      .waitFor();
    await expectFine(admin);
    await button(admin, 'Apply and delete').click();
    await page.getByText(/changes? applied\./).waitFor();
    const listed = async () => (await daemon.admin.call(challengeRoutes.list, { params: params() })).challenges;
    expect(await listed()).toEqual([]);
    await button(admin, 'Restore').click();
    await page.getByText('Deleted in the last 24 hours').waitFor({ state: 'detached' });
    expect(await listed()).toMatchObject([{ goal: 7 }]);
  });

  it('draws the outcome of a simulation, and shows a viewer no action', async () => {
    const { page } = viewer;
    await page.goto(at('simulation'));
    const chosen = page.waitForEvent('filechooser');
    await button(viewer, 'Choose the file').click();
    const file = (content: unknown) => ({
      name: 'outcome.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(content)),
    });
    await (await chosen).setFiles(file({ players: 'many' }));
    await page.getByText(/players: must be a/).waitFor();
    await page.locator('input[type=file]').setInputFiles(file(outcome));
    await page.getByText('100 players and 4,200 events').waitFor();
    await page.locator('.recharts-surface').first().waitFor();
    await expectFine(viewer);
    for (const tab of ['challenges', 'passes', 'boards', 'player?user=u_ana', 'season']) {
      await page.goto(at(tab));
      await page
        .getByRole('main')
        .getByText(/Three down|Winter|Most kills/)
        .first()
        .waitFor();
      expect(
        await page
          .getByRole('main')
          .getByRole('button', { name: /new |send|give|reset|apply/i })
          .count(),
      ).toBe(0);
      await expectFine(viewer);
    }
    expect([...admin.complaints, ...viewer.complaints]).toEqual([]);
  });
});
