/**
 * `npm start`: set-up where it is needed, then `earshotd run`. Arguments go to the daemon. `npm run set-up` only installs and
 * builds, for images and CI jobs.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build, fetchSpeech, install, root } from './set-up.mjs';

const settings = process.argv.slice(2);
install();
build();
if (settings[0] === '--set-up') process.exit(0);
const fetching = settings.some((one) => ['--help', '-h'].includes(one)) ? null : fetchSpeech(settings);
const daemon = spawn(process.execPath, [join(root, 'bin/earshotd.js'), 'run', ...settings], { stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => daemon.kill(signal));
daemon.on('exit', (code, signal) => {
  fetching?.kill(); // what it has fetched is continued by the next start
  process.exit(signal === null ? (code ?? 1) : 1);
});
