import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Scene, Stage } from './scene.js';

const identified = z.object({ id: z.string() });

/** Invites a moderator, who accepts on a machine of their own. */
export async function colleague(stage: Stage, name: string) {
  const own = { env: { XDG_CONFIG_HOME: join(stage.folder, name) } };
  const line = `earshot users invite --email ${name}@studio.example --role moderator --json`;
  const { stdout } = await stage.run(line, { quiet: true });
  const { invitationUrl } = z.object({ invitationUrl: z.string() }).parse(JSON.parse(stdout));
  const input = `${invitationUrl}\na password of her own\n`;
  await stage.run(`earshot users accept --display-name ${name} --stdin`, { ...own, input, quiet: true });
  return own;
}

export const scene: Scene = {
  title: 'Three players report one, a fourth lies',
  long: true,
  async play(stage) {
    const setUp = async (line: string) => stage.run(`earshot ${line}`, { quiet: true });
    await setUp('participants create --user kai --name Kai --language de');
    await setUp('sessions create --title Raid --room raid --no-auto-start');
    await setUp('sessions say raid --user kai --content "I know where you live."');
    const ground = `--ground '{"kind":"terms","reference":"Section 4"}'`;
    const reasons = `--reasons '{"de":"Du hast jemandem gedroht."}'`;
    await setUp(`sanctions templates set threats "You threatened somebody." ${reasons} ${ground}`);
    const [mo, ida] = [await colleague(stage, 'mo'), await colleague(stage, 'ida')];

    stage.tell('Three players report Kai, one of them with what was said. A fourth reports somebody who did nothing.');
    await stage.run(
      'earshot reports create --user kai --reporter-user-id ann --category threats --words "He knows my street." --language de',
    );
    await stage.run('earshot reports create --user kai --reporter-user-id ben --category harassment');
    await stage.run('earshot reports create --user kai --reporter-user-id cem --category threats');
    await stage.run('earshot reports create --user dan --reporter-user-id liar --category cheating');
    const { stdout } = await stage.run('earshot cases list --json', { ...mo, quiet: true });
    const cases = z.array(identified.extend({ externalUserId: z.string(), reports: z.int() }));
    const listed = cases.parse(JSON.parse(stdout).cases);
    await stage.run('earshot cases list', mo);
    stage.check(
      'two cases, the three reports in one, and it comes first',
      listed[0]?.reports === 3 && listed.length === 2,
    );
    const [first, second] = listed.map(({ id }) => id);

    stage.tell('Mo takes the first case. What Kai is told comes in German, the language of his game.');
    await stage.run(`earshot cases claim ${first}`, mo);
    await stage.run(`earshot cases get ${first}`, mo);
    const sanction = `'{"type":"temp_ban","duration":604800,"template":"threats"}'`;
    const flags = `--decision sanction --reason-code violation --sanction ${sanction}`;
    const decided = await stage.run(`earshot cases decide ${first} ${flags} --json`, mo);
    const { sanctionId } = z.object({ sanctionId: z.string() }).parse(JSON.parse(decided.stdout));
    const statement = await stage.run(`earshot sanctions statement ${sanctionId}`, mo);
    stage.check('the statement is in German, with reason and ground', /gedroht[\s\S]*Section 4/.test(statement.stdout));
    stage.check('it leads to a page of his own', /\/standing\/\w+/.test(statement.stdout));
    const late = await stage.run(`earshot cases decide ${first} ${flags}`, { ...ida, exitCode: 5 });
    stage.check('Ida, who was second, learns who decided what', /has decided this case/.test(late.stderr));

    await stage.run('earshot tokens create --room raid --user kai', { exitCode: 5 });

    stage.tell('The fourth report is manifestly unfounded, which counts against who made it.');
    await stage.run(`earshot cases decide ${second} --decision no_action --reason-code unfounded_reports`, ida);
    const liar = await stage.run('earshot reports reporter liar', ida);
    stage.check('the record says so', /unfounded\s+1/.test(liar.stdout));
    const believed = await stage.run('earshot reports reporter ann', ida);
    stage.check('whoever was right is believed more', /upheld\s+1/.test(believed.stdout));

    stage.tell('Kai appeals. Mo imposed the ban, so somebody else decides.');
    await stage.run(`earshot sanctions appeal ${sanctionId} "It was a line of a film."`, { quiet: true });
    const open = await stage.run('earshot reviews list --status open --json', { ...mo, quiet: true });
    const { reviews } = z.object({ reviews: z.array(identified) }).parse(JSON.parse(open.stdout));
    const appeal = reviews[0]?.id ?? '';
    const own = await stage.run(`earshot reviews claim ${appeal}`, { ...mo, exitCode: 5 });
    stage.check('Mo is refused', own.stderr.includes('Somebody else has to decide'));
    await stage.run(`earshot reviews claim ${appeal}`, ida);
    await stage.run(`earshot reviews overturn ${appeal} --answer "Es war ein Zitat. Willkommen zurück."`, ida);
    const token = await stage.run('earshot tokens create --room raid --user kai', { quiet: true });
    stage.check('Kai may enter again', token.exitCode === 0);
    const ban = await stage.run(`earshot sanctions get ${sanctionId}`, ida);
    stage.check('the ban is taken back', /status\s+revoked/i.test(ban.stdout));
    const answered = await stage.run(`earshot sanctions statement ${sanctionId}`, ida);
    stage.check('the page tells him why', answered.stdout.includes('Es war ein Zitat.'));

    stage.tell('A ranked restriction takes Kai off the board. An appeal puts him back, with what he did meanwhile.');
    await setUp('leaderboards create --name Kills --event-name kill-enemy');
    const play = (user: string, amount: number) => {
      const event = { user_id: user, event_name: 'kill-enemy', meta_data: { amount } };
      return stage.run('earshot game-events import -', { input: `${JSON.stringify(event)}\n`, quiet: true });
    };
    await play('kai', 30);
    await play('dan', 20);
    const line = 'earshot sanctions issue --type ranked_restriction --user kai --reason cheating --json';
    const restricted = identified.parse(JSON.parse((await stage.run(line, { ...mo, quiet: true })).stdout));
    await play('kai', 5);
    const without = await stage.run('earshot leaderboards show Kills');
    stage.check('he is not on it', /1\s+dan\s/.test(without.stdout) && !/kai/i.test(without.stdout));
    await stage.run(`earshot sanctions appeal ${restricted.id} "I play with two monitors."`, { quiet: true });
    const waiting = await stage.run('earshot reviews list --status open --json', { ...ida, quiet: true });
    const [restoring] = z.object({ reviews: z.array(identified) }).parse(JSON.parse(waiting.stdout)).reviews;
    await stage.run(`earshot reviews claim ${restoring?.id}`, { ...ida, quiet: true });
    await stage.run(`earshot reviews overturn ${restoring?.id} --answer "Du hast recht."`, ida);
    const back = await stage.run('earshot leaderboards show Kills');
    stage.check('he leads again, with every point', /1\s+kai\s.*35/i.test(back.stdout));

    stage.tell('The month in figures: for people, as a table of values, and as a chart.');
    await stage.run('earshot stats moderation --since 30d --plot month.svg');
    await stage.run('earshot stats moderation --since 30d --csv > month.csv', { quiet: true });
    const figures = readFileSync(join(stage.folder, 'month.csv'), 'utf8');
    stage.check('the files are there', existsSync(join(stage.folder, 'month.svg')) && figures.includes('threats'));

    await stage.run('earshot stats rebuild');
    await stage.run('earshot stats moderation --since 30d --csv > again.csv', { quiet: true });
    const again = readFileSync(join(stage.folder, 'again.csv'), 'utf8');
    stage.check('counted anew from the log they are the same', again === figures);

    stage.tell('What the studio publishes once a year: tables in the template of the Regulation, and a page.');
    const year = new Date().getUTCFullYear();
    await stage.run('earshot stats transparency --facts-template > facts.yaml');
    await stage.run(`earshot stats transparency --year ${year} --facts facts.yaml --out report`);
    const [notices, page] = ['4_notices.csv', 'report.html'].map((name) =>
      readFileSync(join(stage.folder, 'report', name), 'utf8'),
    );
    stage.check('the notices are counted by category', /THREATS?|VIOLENCE|HARASSMENT/i.test(notices ?? ''));
    stage.check('the page names no player', page !== undefined && !/kai|liar/i.test(page));
  },
};
