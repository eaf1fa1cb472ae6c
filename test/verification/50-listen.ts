import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scene } from './scene.js';

const expectation = 'sanction.created where type=mute and externalUserId=u_42';

export const scene: Scene = {
  title: 'A CI job that holds a moderation script to what it should cause',
  async play(stage) {
    stage.tell('The script under test mutes whoever shouts. Its test opens the stream, runs it and judges what came.');
    writeFileSync(join(stage.folder, 'moderate.sh'), 'earshot mute u_42 10m --reason "shouting" --new >/dev/null\n');
    const judged = `earshot listen --expect '${expectation}' --within 5s --count 1`;
    const passed = await stage.run(`${judged} --junit passed.xml -- sh moderate.sh`);
    stage.check('the job passes', passed.stdout.startsWith('✓ '));

    stage.tell('Somebody breaks the script: it only warns. The same job fails, and says what was expected.');
    writeFileSync(join(stage.folder, 'moderate.sh'), 'earshot warn u_42 --reason "shouting" --new >/dev/null\n');
    const failed = await stage.run(`${judged} --junit failed.xml -- sh moderate.sh`, { exitCode: 1 });
    stage.check('the job fails with exit code 1', failed.stdout.includes('0 events, expected 1'));
    stage.tell('What the CI system is given to show:');
    const report = readFileSync(join(stage.folder, 'failed.xml'), 'utf8');
    stage.show(report);
    stage.check('the JUnit file names the failure', report.includes('<failure message='));

    stage.tell('A script that does not come to its end fails the job with its own exit code.');
    await stage.run(`${judged.replace('5s', '0s')} -- sh -c 'exit 42'`, { exitCode: 42 });
  },
};
