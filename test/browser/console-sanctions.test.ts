/** Templates and batches of sanctions in the console: by a moderator, seen by a viewer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionTemplateRoutes } from '../../src/contract/moderation/sanction-templates.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { chromiumPath, expectFine, type Visitor } from '../support/browser.js';
import { comeAs, inDialog } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { nastyFiles } from '../support/nasty-files.js';

/** Lets a file go over the field of lines, as from a folder. */
async function drop({ page }: Visitor, name: string, content: string | Buffer): Promise<void> {
  const data = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(${JSON.stringify([...Buffer.from(content)])});
    transfer.items.add(new File([bytes], ${JSON.stringify(name)}));
    return transfer;
  })()`);
  await page.getByLabel('One JSON object a line, or CSV').dispatchEvent('drop', { dataTransfer: data });
}

describe.skipIf(chromiumPath === null)('templates and batches', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let mo: Visitor;
  let viewer: Visitor;
  const params = () => ({ projectId: daemon.projectId });
  const at = (view: string) => `${daemon.url}/console/projects/${daemon.projectId}/sanctions?view=${view}`;

  beforeAll(async () => {
    daemon = await startDaemon();
    [mo, viewer] = await comeAs(daemon, 'moderator', 'viewer');
  }, 120_000);
  afterAll(async () => {
    await Promise.all([mo?.go(), viewer?.go()]);
    await daemon?.stop();
  });

  it('stores a template', async () => {
    const { page } = mo;
    await page.goto(at('templates'));
    await page.getByRole('textbox', { name: /^Template/ }).fill('shouting');
    await page.getByLabel(/^Reason(?! in)/).fill('Please do not shout.');
    await page.getByText("earshot sanctions templates set shouting 'Please do not shout.'").waitFor();
    await expectFine(mo);
    await inDialog(mo, 'Store the template').click();
    await page.getByRole('cell', { name: 'Please do not shout.' }).waitFor();
    expect(await daemon.admin.call(sanctionTemplateRoutes.list, { params: params() })).toMatchObject([
      { name: 'shouting' },
    ]);
    await viewer.page.goto(at('templates'));
    await viewer.page.getByRole('cell', { name: 'shouting' }).waitFor();
    expect(await viewer.page.getByRole('button', { name: /store|change|delete/i }).count()).toBe(0);
  });

  it('tries a batch, shows every bad line, imposes it and takes it back', async () => {
    const { page } = mo;
    await page.goto(at('batches'));
    const lines = page.getByLabel('One JSON object a line, or CSV');
    await lines.fill('{"type":"mute","externalUserId":"u_1","duration":"10m"}\n{"type":"shout"}\nmute u_3');
    await page.getByRole('row', { name: /^2 type must be one of/ }).waitFor();
    await page.getByRole('row', { name: /^3 .*not JSON/ }).waitFor();
    expect(await inDialog(mo, 'Dry run').isDisabled()).toBe(true);
    await expectFine(mo);
    await drop(mo, 'raid.csv', 'user,type,duration,reason\nu_1,mute,10m,"Raid, again"\nu_2,shout,5m,\n');
    await page.getByRole('row', { name: /^3 type must be one of/ }).waitFor();
    await drop(mo, 'raid.csv', 'user;type;until\nu_1;ban;05.06.2030\n');
    await page.getByRole('row', { name: /^2 endAt/ }).waitFor(); // the 5th of June here, the 6th of May elsewhere
    await drop(mo, 'raid.csv', 'user,type,duration,reason\nu_1,mute,10m,"Raid, again"\nu_2,warn,,\n');
    await page.getByRole('dialog').getByLabel('Name of the batch').fill('raid');
    await page.getByText('earshot sanctions apply raid.csv --batch raid', { exact: true }).waitFor();
    await inDialog(mo, 'Dry run').click();
    await page.getByText('2 would be imposed, 0 refused').waitFor();
    await inDialog(mo, 'Impose 2 sanctions').click();
    await page.getByText('2 sanctions imposed.').waitFor();
    await inDialog(mo, 'Undo').first().click();
    await page.getByText(/in force are revoked/).waitFor();
    await inDialog(mo, 'Undo').last().click();
    await page.getByRole('cell', { name: 'undone' }).waitFor();
    const { batches } = await daemon.admin.call(sanctionBatchRoutes.list, { params: params() });
    expect(batches).toMatchObject([{ batchId: 'raid', sanctions: 2, active: 0 }]);
    expect([...mo.complaints, ...viewer.complaints]).toEqual([]);
  });

  it('imposes a batch once, however often the button is pressed', async () => {
    const { page } = mo;
    await page.goto(at('batches'));
    await drop(mo, 'twice.csv', 'user,type,duration\ntwice_1,mute,1 week\ntwice_2,mute,2h 30m\n');
    await inDialog(mo, 'Dry run').click();
    await page.getByText('2 would be imposed, 0 refused, 2 about people').waitFor();
    await page.getByRole('row', { name: /^2 is unknown here/ }).waitFor();
    await inDialog(mo, 'Impose 2 sanctions').dblclick();
    await page.getByText('2 sanctions imposed.').waitFor();
    const { batches } = await daemon.admin.call(sanctionBatchRoutes.list, { params: params() });
    expect(batches).toHaveLength(2);
    expect(batches).toMatchObject([{ batchId: expect.stringMatching(/^console-.*-\w{4}$/), sanctions: 2 }, {}]);
  });

  it('reads and refuses files as the command does', async () => {
    const { page } = mo;
    await page.goto(at('batches'));
    const list = {
      columns: ['user', 'type', 'duration'],
      row: (id: string) => [id, 'mute', '1h'],
      within: 'sanctions',
      hasIds: true,
    } as const;
    for (const { name, content, refused } of nastyFiles(list)) {
      await page.getByLabel('One JSON object a line, or CSV').fill('');
      await drop(mo, 'list.csv', content('jürgen 1', 'jürgen 2'));
      if (refused === null) {
        await inDialog(mo, 'Dry run').click();
        await page.getByText('2 would be imposed, 0 refused').waitFor();
      } else {
        await page.getByRole('cell', { name: refused }).first().waitFor();
        expect(await inDialog(mo, 'Dry run').isDisabled(), name).toBe(true);
      }
    }
  });

  it('refuses names in place of ids, unless the moderator accepts new ids', async () => {
    const { page } = mo;
    const body = { externalUserId: 'u_named', displayName: 'Jürgen' };
    await daemon.admin.call(participantRoutes.create, { params: params(), body });
    await page.goto(at('batches'));
    await drop(mo, 'names.csv', 'user;type;duration\r\nJürgen;mute;1h\r\nstranger;mute;1h\r\n');
    await inDialog(mo, 'Dry run').click();
    await page.getByRole('row', { name: /^2 nobody has the id Jürgen, but it is the name of u_named.*tick/ }).waitFor();
    await page.getByText('1 would be imposed, 1 refused').waitFor();
    expect(await inDialog(mo, 'Impose 2 sanctions').isDisabled()).toBe(true);
    await page.getByLabel(/^Accept ids that nobody has here yet/).check();
    await page.getByText(/^earshot sanctions apply names\.csv --batch \S+ --new$/).waitFor();
    await inDialog(mo, 'Dry run').click();
    await page.getByText('2 would be imposed, 0 refused').waitFor();
    await expectFine(mo);
  });
});
