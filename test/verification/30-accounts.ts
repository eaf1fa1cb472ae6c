import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Scene } from './scene.js';

const Invited = z.object({ invitationUrl: z.string() });
const Created = z.object({ key: z.string() });
const Projects = z.array(z.object({ id: z.string() }));
const Secret = z.object({ secret: z.string() });
const Ring = z.object({ current: z.string(), keys: z.array(z.object({ id: z.string() })) });
const refused = 5;

export const scene: Scene = {
  title: 'A new teammate, a key with one scope, and a fresh master key',
  async play(stage) {
    const ann = { env: { XDG_CONFIG_HOME: join(stage.folder, 'ann') } };
    const operator = { env: { EARSHOT_DATA_DIR: stage.daemon.dataDir } };

    stage.tell('The administrator invites Ann. No mail server is set up, so the link comes back to be handed over.');
    const invited = await stage.run('earshot users invite --email ann@studio.example --role moderator --json');
    const { invitationUrl } = Invited.parse(JSON.parse(invited.stdout));

    stage.tell('On her own machine Ann chooses a password and is signed in.');
    const input = `${invitationUrl}\na password of her own\n`;
    await stage.run('earshot users accept --display-name Ann --stdin', { ...ann, input });
    const whoami = await stage.run('earshot whoami', ann);
    stage.check('she is signed in as herself', whoami.stdout.includes('ann@studio.example'));
    const projects = await stage.run('earshot projects list', ann);
    stage.check('she sees the project with a moderator’s role', /default +moderator/.test(projects.stdout));

    stage.tell('She does what moderators do.');
    await stage.run('earshot mute u1 10m --reason shouting --new', ann);
    await stage.run('earshot sanctions list --active-only', ann);

    stage.tell('What a moderator may not do is refused, with what it would take.');
    for (const line of [
      'earshot users invite --email bob@studio.example --role viewer',
      'earshot settings update --bot-user-id scribe',
    ]) {
      const { stderr } = await stage.run(line, { ...ann, exitCode: refused });
      stage.check('the refusal names the role', /needs the role admin.*yours is moderator/s.test(stderr));
    }

    stage.tell('A script gets a key that opens sanctions and nothing else.');
    const created = await stage.run('earshot api-keys create --name night-watch --scopes sanctions --json');
    const { key } = Created.parse(JSON.parse(created.stdout));
    const listed = await stage.run('earshot projects list --json', { quiet: true });
    const [project] = Projects.parse(JSON.parse(listed.stdout));
    const script = { env: { ...ann.env, EARSHOT_API_KEY: key, EARSHOT_PROJECT: project?.id ?? '' } };
    await stage.run('earshot sanctions issue --type warn --external-user-id u2 --reason "second time"', script);
    const outside = await stage.run('earshot participants list', { ...script, exitCode: refused });
    stage.check(
      'outside its scope it is refused by name',
      outside.stderr.includes('lacks the scope participants:read'),
    );

    stage.tell('While a script stores and reads a secret again and again, the operator rotates the master key.');
    await stage.run('earshot settings sync-secret', { quiet: true });
    const before = Secret.parse(
      JSON.parse((await stage.run('earshot settings secret --json', { quiet: true })).stdout),
    );
    const ringFile = join(stage.daemon.dataDir, 'key-ring.json');
    const ringBefore = Ring.parse(JSON.parse(readFileSync(ringFile, 'utf8')));
    const calling = stage.start(
      'n=0; until [ -e rotated ]; do earshot settings sync-secret && earshot settings secret --json > secret.json || exit 1; n=$((n+1)); echo "call $n answered"; done',
    );
    await calling.prints(/call 1 answered/);
    await stage.run('earshotd rotate-key', operator);
    await calling.prints(/call 2 answered/);
    writeFileSync(join(stage.folder, 'rotated'), '');
    const { exitCode } = await calling.ends();
    stage.check('every call was answered', exitCode === 0);
    const after = Secret.parse(JSON.parse(readFileSync(join(stage.folder, 'secret.json'), 'utf8')));
    stage.check('the secret is the same', after.secret === before.secret);
    const ring = Ring.parse(JSON.parse(readFileSync(ringFile, 'utf8')));
    stage.check('another master key is in force', ring.current !== ringBefore.current);
    stage.check(
      'the retired one stays for older backups',
      ring.keys.some(({ id }) => id === ringBefore.current),
    );
  },
};
