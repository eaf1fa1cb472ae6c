import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { chromiumPath, picture, Visitor } from '../support/browser.js';
import { wide } from '../support/console.js';
import { clip, lendSpeech, speechForTests, spokenFile } from '../support/speech-clips.js';
import type { Scene, Stage } from './scene.js';

const password = 'a password of her own';
const seconds = (began: number): string => ((Date.now() - began) / 1_000).toFixed(1);
const rule = `name: No orders
definition:
  format: 1
  mode: enforce
  when:
    all:
      - annotation: { plugin: toxicity, category: listed }
  steps:
    - - sanction: { type: warn, reason: Do not order others about. }
`;

/** Invites a moderator, who signs in to the console in a browser of their own. */
async function colleague(stage: Stage, name: string): Promise<Visitor> {
  const email = `${name}@studio.example`;
  const { stdout } = await stage.run(`earshot users invite --email ${email} --role moderator --json`, { quiet: true });
  const { invitationUrl } = z.object({ invitationUrl: z.string() }).parse(JSON.parse(stdout));
  const own = { env: { XDG_CONFIG_HOME: join(stage.folder, name) }, input: `${invitationUrl}\n${password}\n` };
  await stage.run(`earshot users accept --display-name ${name} --stdin`, { ...own, quiet: true });
  const visitor = await Visitor.come(null, wide);
  await visitor.page.goto(`${stage.url}/console`);
  await visitor.page.getByLabel('E-mail').fill(email);
  await visitor.page.getByLabel('Password', { exact: true }).fill(password);
  await visitor.page.keyboard.press('Enter');
  await visitor.page.getByText('Sanctions in force').waitFor();
  return visitor;
}

async function enter(stage: Stage, { page }: Visitor, user: string, name: string, how: string): Promise<void> {
  const { stdout } = await stage.run(`earshot rooms open court --user ${user} --name ${name}`, {
    quiet: true,
  });
  await page.goto('about:blank'); // another fragment alone is no new page
  await page.goto(stdout.trim());
  await page.getByRole('button', { name: how }).click();
  await page.getByText('You are in the room.').waitFor();
}

export const scene: Scene = {
  title: 'An evening in the console',
  long: true,
  settings: { EARSHOT_TRANSCRIBER: 'auto' },
  async play(stage) {
    const speech = await speechForTests();
    if (speech === null || chromiumPath === null) return stage.tell('Here is no recogniser, or no Chromium.');
    lendSpeech(speech, stage.daemon.dataDir);
    const wav = join(stage.folder, 'ann.wav');
    writeFileSync(wav, spokenFile(1, await clip(speech, 'goforward'), 600));
    writeFileSync(join(stage.folder, 'rule.yaml'), rule);
    await stage.run(`echo '{"words":["forward"]}' | earshot plugins install toxicity --settings -`, { quiet: true });
    await stage.run('earshot rules create -f rule.yaml', { quiet: true });
    await stage.run('earshot sessions create Match --room court', { quiet: true });
    const [mo, ida] = [await colleague(stage, 'mo'), await colleague(stage, 'ida')];
    const ben = await Visitor.come(null);
    const ann = await Visitor.come(wav);
    try {
      stage.tell(
        'Mo has the overview of the console open. In the room "court" Anna says the word that the project does not want.',
      );
      await enter(stage, ben, 'ben', 'Ben', 'Just listen');
      await enter(stage, ann, 'ann', 'Anna', 'Join and talk');
      const began = Date.now();
      await mo.page
        .getByText(/forward/)
        .first()
        .waitFor();
      await ann.page.getByText('A moderator warns you. Reason: Do not order others about.').waitFor();
      await mo.page
        .getByText(/was warned by the rule/)
        .first()
        .waitFor();
      await picture(mo, 'console-evening-word');
      stage.check(
        `the word and the rule's warning are on the overview, and on Anna's page, after ${seconds(began)} s`,
        true,
      );

      stage.tell('Mo opens the room by keys, chooses Anna, mutes her, and writes a note.');
      await mo.page.keyboard.press('g');
      await mo.page.keyboard.press('r');
      await mo.page.getByRole('row', { name: /court/ }).focus();
      await mo.page.keyboard.press('Enter');
      await mo.page.getByRole('button', { name: 'Anna' }).waitFor();
      await mo.page.keyboard.press('j');
      await mo.page.getByRole('button', { name: 'Anna', pressed: true }).waitFor();
      await mo.page.keyboard.press('m');
      await ann.page.getByText(/A moderator has muted you/).waitFor();
      await mo.page.getByText('Muted', { exact: true }).first().waitFor();
      await mo.page.keyboard.press('n');
      await mo.page.getByRole('dialog').getByLabel('Note for moderators').fill('Third evening in a row.');
      await mo.page.getByRole('button', { name: 'Add the note' }).click();
      await mo.page.getByRole('dialog').waitFor({ state: 'detached' });
      await picture(mo, 'console-evening-room');
      stage.check('Anna reads that she is muted, and Mo sees it beside her name', true);

      stage.tell(
        'Ben reports Anna from the page of the room. The case is on the overview at once; Mo claims it and decides it by one key.',
      );
      await ben.page.getByRole('button', { name: 'Report Anna' }).click();
      await ben.page.getByLabel('What it is about').selectOption('Harassment');
      await ben.page.getByLabel('What happened').fill('She orders everybody about.');
      await ben.page.getByRole('dialog').getByRole('button', { name: 'Report' }).click();
      await mo.page.keyboard.press('g');
      await mo.page.keyboard.press('c');
      await mo.page.getByRole('row', { name: /harassment/ }).focus();
      await mo.page.keyboard.press('Enter');
      await mo.page.getByRole('button', { name: /Claim/ }).waitFor();
      await mo.page.keyboard.press('l');
      await mo.page.getByRole('button', { name: /Give back/ }).waitFor();
      await picture(mo, 'console-evening-case');
      await mo.page.keyboard.press('b'); // one key: five seconds later the decision is sent
      await mo.page.getByText('Decided: ann: Ban for a day.').waitFor();
      await mo.page.getByText('sanction violation').waitFor();
      await ann.page.getByRole('heading', { name: 'You are banned' }).waitFor();
      stage.check('the ban of the case has put Anna out of the room', true);

      stage.tell('Anna appeals. Mo imposed the ban, so Ida decides: she overturns it.');
      const { stdout } = await stage.run('earshot sanctions list --type temp_ban --json', { quiet: true });
      const { sanctions } = z.object({ sanctions: z.array(z.object({ id: z.string() })) }).parse(JSON.parse(stdout));
      await stage.run(`earshot sanctions appeal ${sanctions[0]?.id} "We play like that every evening."`);
      await ida.page.keyboard.press('g');
      await ida.page.keyboard.press('c');
      await ida.page.getByRole('row', { name: /ann/ }).first().focus();
      await ida.page.keyboard.press('Enter');
      await ida.page.getByRole('listitem').filter({ hasText: 'appeal' }).getByRole('link').first().click();
      await ida.page.getByRole('heading', { name: /appeal/ }).waitFor();
      await ida.page.keyboard.press('l');
      await ida.page.getByRole('button', { name: 'Give back' }).waitFor();
      await ida.page.getByLabel('Answer, for the person').fill('Your friends say so too. Welcome back.');
      await ida.page.getByRole('heading', { name: /appeal/ }).click();
      await ida.page.keyboard.press('o');
      await ida.page.getByText('overturned').waitFor();
      await picture(ida, 'console-evening-overturned');
      const ban = await stage.run(`earshot sanctions get ${sanctions[0]?.id}`);
      stage.check('the ban is taken back', /status\s+revoked/i.test(ban.stdout));

      stage.tell('Mo takes back his own mute from the page of the person, which has the whole story.');
      await mo.page.goto(`${mo.page.url().replace(/\/cases.*/, '')}/people/ann`);
      await mo.page.getByRole('button', { name: 'Revoke…' }).first().click();
      await mo.page.getByLabel('Why it is revoked').fill('A game among friends.');
      await mo.page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
      await mo.page.getByRole('dialog').waitFor({ state: 'detached' });
      await picture(mo, 'console-evening-person');
      await enter(stage, ann, 'ann', 'Anna', 'Join and talk');
      stage.check('Anna is in the room again', true);
      stage.check(
        'no page complains',
        [mo, ida, ann, ben].every(({ complaints }) => complaints.length === 0),
      );
    } finally {
      for (const visitor of [mo, ida, ann, ben]) await visitor.go();
    }
  },
};
