import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { startReceiver } from '../support/receiver.js';
import { Speaker } from '../support/room-peers.js';
import { colleague } from './42-reports.js';
import type { Scene, Stage } from './scene.js';

const minted = z.object({ token: z.string() });

/** Makes the people and things that are there when the evening begins. */
async function prepare(stage: Stage, receiverUrl: string): Promise<void> {
  for (const line of [
    'participants create --user u1 --name Bob',
    'participants create --user u2 --name Ann',
    'participants create --user u3 --name Cem',
    'sessions create --title Evening --room demo --no-auto-start',
    'sessions say demo --user u1 --content "You will regret this."',
    'warn bob --reason threats',
    'gatherings create --name "Friday raid"',
    `webhooks create --to ${receiverUrl} --events "sanction.*" --description bridge`,
    'projects create Live',
  ])
    await stage.run(`earshot ${line}`, { quiet: true });
  // A colleague imposes it: whoever imposes a sanction, also by a key of their own, does not decide the appeal.
  const mo = { ...(await colleague(stage, 'mo')), quiet: true };
  await stage.run('earshot sanctions issue --type temp_ban --external-user-id u2 --duration 2h --reason spam', mo);
  await stage.run('earshot sanctions appeal ann "I was only singing."', { quiet: true });
  const raid = '{"type":"temp_ban","externalUserId":"raider","duration":"7d"}';
  const bans = [raid, '{"type":"perm_ban","externalUserId":"other"}', '{"type":"mute"}', 'nonsense'];
  writeFileSync(join(stage.folder, 'raid.ndjson'), `${raid}\n`);
  writeFileSync(join(stage.folder, 'bans.ndjson'), `${bans.join('\n')}\n`);
  await stage.run('earshot sanctions apply --file raid.ndjson --batch raid --project default', { quiet: true });
}

async function enter(stage: Stage, user: string): Promise<Speaker> {
  const line = `earshot tokens create --room-id demo --user-id ${user} --project default --json`;
  const { token } = minted.parse(JSON.parse((await stage.run(line, { quiet: true })).stdout));
  const speaker = new Speaker(user);
  await speaker.join(async (offer) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sdp' };
    const answer = await fetch(`${stage.url}/rooms/demo/whip`, { method: 'POST', headers, body: offer });
    return answer.text();
  });
  return speaker;
}

export const scene: Scene = {
  title: "The operator's evening: 25 tasks, without an id",
  settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.1/32' },
  long: true,
  async play(stage) {
    const receiver = await startReceiver();
    try {
      await prepare(stage, receiver.url);
      const evening = { env: { EARSHOT_PROJECT: 'default' } };
      /** One task: what is typed, and what has to be on the screen. */
      const task = async (title: string, line: string, says: RegExp, exitCode = 0) => {
        stage.tell(`${title}.`);
        const { stdout, stderr } = await stage.run(line, { ...evening, exitCode });
        stage.check(title, says.test(`${stdout}${stderr}`));
      };
      stage.tell('Bob has threatened somebody, Ann has appealed, a raid was banned by a list. Nobody copies an id.');
      await task('1 who talked in a room yesterday', 'earshot sessions messages demo --since yesterday', /Bob.*regret/);

      stage.tell('10 who is in the room now, and throw one out. 11 hear what goes on in it.');
      const listening = stage.start('earshot rooms listen demo', evening);
      await listening.prints(/room\.state/);
      const bob = await enter(stage, 'u1');
      await bob.talk(50);
      await listening.prints(/u1/);
      await stage.run('earshot rooms list', evening);
      const out = await stage.run('earshot kick bob', evening);
      stage.check('10 Bob is out of the room', out.stderr.includes('removed from demo'));
      stage.check('11 the listener heard that he was there', (await listening.stop()).stdout.includes('u1'));

      await task('2 ban for two hours, and why last time', 'earshot ban bob 2h', /last was warn.*threats/);
      await task('3 take the last bulk change back', 'earshot sanctions undo --last --yes', /revoked +1/);
      await task("4 rotate a webhook's secret", 'earshot webhooks rotate-secret bridge --yes', /shown only once/);
      await task('5 why is there no transcript', 'earshot why demo', /Nobody is in the room/, 1);
      await task("6 send yesterday's webhooks again", 'earshot webhooks replay bridge --since yesterday', /queued/);
      await task(
        '7 give a colleague read-only access',
        'earshot users invite --email ann@example.com --role viewer',
        /viewer/,
      );
      await task(
        '8 a key for my game server: one project, one scope',
        'earshot api-keys create --name game --scopes gameplay --project default',
        /shown only once/,
      );
      await task('9 everything about a person', 'earshot who bob', /threats/);
      await task('12 which moderator did this', 'earshot sanctions list --user bob', /admin@localhost/);

      stage.tell('13 watch a gathering fill.');
      const watching = stage.start('earshot gatherings watch "Friday raid"', evening);
      await watching.prints(/Watching/);
      await stage.run('earshot gatherings add "Friday raid" cem', evening);
      await watching.prints(/member\.joined|Cem/);
      stage.check('13 the watcher saw Cem come', /member\.joined|Cem/.test((await watching.stop()).stdout));

      await task('14 take a key back by its name', 'earshot api-keys revoke game --yes', /deleted/);
      await task('15 where was this word said', 'earshot messages search regret', /regret/);
      await task('16 what waits for review, oldest first', 'earshot reviews next', /only singing/);
      await task('16 and decide it', 'earshot reviews overturn ann --answer "You were."', /overturned/);
      await task('17 mute in this room only, until the match ends', 'earshot mute bob --room demo', /mute/);
      await task(
        '18 bans of last month as CSV',
        'earshot sanctions list --type temp_ban --since "last month" --all --csv',
        /u1,temp_ban/,
      );
      await task(
        '19 import a ban list, and which lines are wrong',
        'earshot sanctions apply --file bans.ndjson',
        /Nothing was issued/,
        2,
      );
      await task('20 what did this key do today', 'earshot audit list --actor game --since today', /./);
      await task('21 is everything healthy, and what is not', 'earshot doctor', /Live has none/, 1);
      await task('22 which webhook fails and why', 'earshot why bridge', /webhook http/);
      await task('23 copy settings to another project', 'earshot settings copy --to Live', /./);
      await task('24 who is banned now', 'earshot sanctions list --type temp_ban --active-only', /u1/);
      await task(
        '24 and free again by tomorrow night',
        'earshot sanctions list --type temp_ban --ends-before "in 2d"',
        /u1/,
      );
      await task(
        "25 move a person's history to their new account id",
        'earshot participants move bob steam_77 --yes',
        /u1 -> steam_77/,
      );
      const known = await stage.run('earshot who u1', evening);
      stage.check('who asks for the old id finds Bob under the new one', known.stdout.includes('Bob (steam_77)'));
    } finally {
      await receiver.stop();
    }
  },
};
