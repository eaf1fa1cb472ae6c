import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Scene } from './scene.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Line that is printed once all is up, with the address that a user goes to. */
const up = /"msg":"listening"/;
const installMs = 15 * 60_000;
const secondStartMs = 20_000;

/** Returns the commands that the README's tour says to paste. */
function tour(): string {
  const readme = readFileSync(`${root}README.md`, 'utf8');
  const [, block] = /## Try it in five minutes.*?paste this:\s+```sh\n(.*?)```/s.exec(readme) ?? [];
  if (block === undefined) throw new Error('The README has no tour under "Try it in five minutes".');
  return block;
}

export const scene: Scene = {
  title: 'A fresh clone, and the tour of the README',
  long: true,
  async play(stage) {
    // Nothing of the scene's own daemon: neither its address nor the login there.
    const inClone = { cwd: 'earshot', env: { EARSHOT_URL: '', XDG_CONFIG_HOME: `${stage.folder}/config` } };
    stage.tell('An empty folder, an empty home, nothing prepared. What `npm start` prints stands at its end, below.');
    await stage.run(`git clone --quiet ${root} earshot`);
    const first = stage.start('npm start', { ...inClone, within: 2 * installMs });
    await first.prints(up, installMs);
    stage.tell('In another terminal:');
    await stage.run('./bin/earshot.js login --email admin@localhost --password-stdin < data/admin-password', inClone);
    stage.tell('The five-minute tour, pasted into a terminal:');
    writeFileSync(`${stage.folder}/tour.sh`, tour());
    const toured = await stage.run('script -qec "stty cols 120; sh -ve ../tour.sh" /dev/null', inClone);
    stage.check('the tour shows a secret once, at its end', /earshot_live_\w+/.test(toured.stdout));
    const before = await stage.run('./bin/earshot.js challenges list --json', { ...inClone, quiet: true });
    await first.stop();

    stage.tell('Started a second time:');
    const asked = Date.now();
    const second = stage.start('npm start', inClone);
    await second.prints(up, secondStartMs);
    const seconds = (Date.now() - asked) / 1000;
    const after = await stage.run('./bin/earshot.js challenges list --json', { ...inClone, quiet: true });
    await second.stop();
    stage.check(`up again after ${seconds.toFixed(1)} s`, seconds < secondStartMs / 1000);
    stage.check('with everything as it was', after.stdout === before.stdout);
  },
};
