import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { GatheringListResponse } from '../../src/contract/gatherings/gatherings.js';
import { eventually } from '../support/eventually.js';
import { Listener, Speaker } from '../support/room-peers.js';
import type { Scene, Stage } from './scene.js';

const identified = z.object({ id: z.string() });
const minted = z.object({ token: z.string() });
const sanctionOf = (text: string) => /^id\s+(\S+)/im.exec(text)?.[1] ?? '';

/** A lobby that three people join by its code; its room. */
async function lobby(stage: Stage): Promise<string> {
  for (const name of ['Ann', 'Ben', 'Cleo']) {
    const line = `earshot participants create --external-user-id ${name.toLowerCase()} --display-name ${name}`;
    await stage.run(line, { quiet: true });
  }
  await stage.run('earshot gatherings create --name "Friday raid" --max-members 4');
  const listed = await stage.run('earshot gatherings list --json', { quiet: true });
  const [made] = GatheringListResponse.parse(JSON.parse(listed.stdout)).gatherings;
  for (const name of ['Ann', 'Ben', 'Cleo']) await stage.run(`earshot gatherings join ${made?.joinCode} ${name}`);
  const members = await stage.run(`earshot gatherings members ${made?.id}`);
  stage.check(
    'three people have joined the lobby by its code',
    ['Ann', 'Ben', 'Cleo'].every((name) => members.stdout.includes(name)),
  );
  return made?.roomId ?? '';
}

async function tokenFor(stage: Stage, roomId: string, user: string): Promise<string> {
  const line = `earshot tokens create --room-id ${roomId} --user-id ${user} --json`;
  return minted.parse(JSON.parse((await stage.run(line, { quiet: true })).stdout)).token;
}

const offered = (stage: Stage, roomId: string, kind: 'whip' | 'whep', token: string) => async (offer: string) => {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sdp' };
  const response = await fetch(`${stage.url}/rooms/${roomId}/${kind}`, { method: 'POST', headers, body: offer });
  if (response.status !== 201) throw new Error(`The room answered ${response.status}.`);
  return response.text();
};

export const scene: Scene = {
  title: 'A moderation evening',
  long: true,
  async play(stage) {
    stage.tell('A game opens a lobby for Friday evening. Ann, Ben and Cleo join it by its code and talk in its room.');
    const roomId = await lobby(stage);
    const token = await tokenFor(stage, roomId, 'ann');
    const enter = async () => {
      const speaker = new Speaker('ann');
      await speaker.join(offered(stage, roomId, 'whip', token));
      return speaker;
    };
    const listeners = ['ben', 'cleo'].map((name) => ({ name, ears: new Listener(name, 4) }));
    for (const { name, ears } of listeners)
      await ears.join(offered(stage, roomId, 'whep', await tokenFor(stage, roomId, name)));
    const heardSince = async (spoken: number) => {
      for (const { ears } of listeners) await ears.settled();
      return listeners.map(({ ears }) => ears.heardSince(spoken));
    };
    /** Runs a line while Ann speaks; what each listener heard of the words behind its answer. */
    const whileSpeaking = async (speaker: Speaker, line: string) => {
      const endSentence = speaker.talkOn();
      const answered = await stage.run(line);
      const answeredAt = speaker.spoken;
      await eventually(() => {
        if (speaker.spoken < answeredAt + 25) throw new Error('Ann says more.');
      }, 20_000);
      await endSentence();
      return { answered, heard: await heardSince(answeredAt) };
    };
    const ann = await enter();
    await ann.talk(25);
    stage.check(
      'Ben and Cleo hear Ann',
      (await heardSince(0)).every((heard) => heard > 15),
    );

    stage.tell('Ann shouts. The moderator has a sentence for that, and warns her with it.');
    await stage.run('earshot sanctions templates set shouting "Please do not shout."');
    const warned = await stage.run('earshot warn Ann --template shouting');
    stage.check('the warning carries the sentence', warned.stdout.includes('Please do not shout.'));

    stage.tell('Ann goes on, and is muted in the middle of a sentence.');
    const muted = await whileSpeaking(ann, 'earshot mute Ann 10m --reason "still shouting"');
    stage.show(
      `packets of Ann's that were heard after the answer: by Ben ${muted.heard[0]}, by Cleo ${muted.heard[1]}`,
    );
    stage.check(
      'at most one more packet came through to each',
      muted.heard.every((heard) => heard <= 1),
    );
    await stage.run('earshot unmute Ann --reason "promised to calm down"');
    const opened = ann.spoken;
    await ann.talk(25);
    stage.check(
      'Ann is heard again',
      (await heardSince(opened)).every((heard) => heard > 15),
    );

    stage.tell('She did not calm down. A shadow mute tells her nothing: she speaks, and nobody hears it.');
    const shadow = await whileSpeaking(
      ann,
      'earshot sanctions issue --type shadow_mute --external-user-id ann --duration 5m',
    );
    stage.check(
      'nobody hears Ann',
      shadow.heard.every((heard) => heard <= 1),
    );

    stage.tell('Then she finds out, and threatens. Ten minutes outside.');
    const banned = await whileSpeaking(ann, 'earshot ban Ann 10m --reason "threats"');
    stage.check(
      'she is out at once',
      banned.heard.every((heard) => heard <= 1),
    );
    const refused = await stage.run(`earshot tokens create --room-id ${roomId} --user-id ann`, { exitCode: 5 });
    stage.check('she is refused at the door, and told until when', refused.stderr.includes('banned'));
    const sameToken = await enter().then(
      () => 'let in',
      (error: unknown) => String(error),
    );
    stage.check('the token that she has opens nothing either', sameToken.includes('403'));

    stage.tell(
      'Ann appeals. The game passes her words on. Whoever banned her cannot decide it: a colleague looks at the case.',
    );
    const banId = sanctionOf(banned.answered.stdout);
    await stage.run(`earshot sanctions appeal ${banId} "My brother had the headset. I have it back."`);
    await stage.run('earshot reviews list --status open');
    const listed = await stage.run(`earshot reviews list --sanction-id ${banId} --json`, { quiet: true });
    const { reviews } = z.object({ reviews: z.array(identified) }).parse(JSON.parse(listed.stdout));
    const reviewId = reviews[0]?.id ?? '';
    const own = await stage.run(`earshot reviews claim ${reviewId}`, { exitCode: 5 });
    stage.check('the one who banned her is refused', own.stderr.includes('Somebody else has to decide'));
    const colleague = { env: { XDG_CONFIG_HOME: join(stage.folder, 'mo') } };
    const invited = await stage.run('earshot users invite --email mo@studio.example --role moderator --json', {
      quiet: true,
    });
    const { invitationUrl } = z.object({ invitationUrl: z.string() }).parse(JSON.parse(invited.stdout));
    const input = `${invitationUrl}\na password of her own\n`;
    await stage.run('earshot users accept --display-name Mo --stdin', { ...colleague, input, quiet: true });
    await stage.run(`earshot reviews claim ${reviewId}`, colleague);
    await stage.run(
      `earshot reviews overturn ${reviewId} --note "Ben confirms it." --answer "It was your brother. You can come back."`,
      colleague,
    );
    await stage.run(`earshot sanctions statement ${banId} --language de`);
    const ban = await stage.run(`earshot sanctions get ${banId}`, { quiet: true });
    stage.check('the ban is taken back', /status\s+revoked/i.test(ban.stdout));
    const again = await enter();
    stage.check('Ann is in the room again, by the token that was refused', true);
    await stage.run('earshot participants notes add Ann "Shared headset. Be patient."');

    stage.tell(
      'Meanwhile a raid: accounts to mute by a list. It is looked at, applied, and taken back when it was wrong.',
    );
    const raid = ['r1', 'r2', 'ann'].map((externalUserId) => ({
      type: 'mute',
      externalUserId,
      duration: '1h',
      reason: 'raid',
    }));
    writeFileSync(join(stage.folder, 'raid.ndjson'), `${raid.map((line) => JSON.stringify(line)).join('\n')}\n`);
    await stage.run('earshot sanctions apply --file raid.ndjson --batch raid --dry-run');
    await stage.run('earshot sanctions apply --file raid.ndjson --batch raid');
    const repeated = await stage.run('earshot sanctions apply --file raid.ndjson --batch raid');
    stage.check('a batch that is sent again does nothing twice', repeated.stderr.includes('0 issued, 3 unchanged'));
    await stage.run('earshot sanctions undo raid --reason "false alarm"');

    stage.tell("Ann's evening:");
    const { stdout } = await stage.run('earshot participants history Ann');
    for (const line of [
      'warn',
      'mute',
      'shadow_mute',
      'temp_ban',
      'appealed',
      'overturned',
      'gathering',
      'Shared headset',
    ])
      stage.check(`the timeline tells of it: ${line}`, stdout.includes(line));
    again.close();
    ann.close();
    for (const { ears } of listeners) ears.close();
  },
};
