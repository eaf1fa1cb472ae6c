/** `npm start`: the daemon serves while the model is still being fetched, and takes the fetching along when it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'earshot-background-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A clone that is installed and built: its set-up has nothing to do. */
function makeClone(): void {
  const stamps = join(folder, 'node_modules/.earshot');
  mkdirSync(stamps, { recursive: true });
  mkdirSync(join(folder, 'bin'));
  for (const name of ['start.mjs', 'set-up.mjs']) copyFileSync(join(root, 'bin', name), join(folder, 'bin', name));
  symlinkSync(join(root, 'bin/earshotd.js'), join(folder, 'bin/earshotd.js'));
  symlinkSync(join(root, 'dist'), join(folder, 'dist'));
  symlinkSync(join(root, 'node_modules/better-sqlite3'), join(folder, 'node_modules/better-sqlite3'));
  copyFileSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
  copyFileSync(join(root, 'package-lock.json'), join(stamps, 'installed'));
  writeFileSync(join(stamps, 'built-programs'), '');
}

/** Puts an npm on the path that writes down its process id and what it is asked for, and does not come to an end. */
function makeSlowNpm(): string {
  const path = join(folder, 'path');
  mkdirSync(path);
  for (const program of ['env', 'find']) symlinkSync(join('/usr/bin', program), join(path, program));
  writeFileSync(join(path, 'npm'), `#!/bin/sh\necho "$$ $@" > ${join(folder, 'asked')}\nexec /bin/sleep 600\n`);
  chmodSync(join(path, 'npm'), 0o755);
  return path;
}

/** By no address of its own: the registry is that which npm is set to. */
const toNpm = /^\d+ view @usefulsensors\/moonshine-js@[\d.]+ dist\.tarball --json\n$/;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('fetches the model in the background, and ends with the daemon', { timeout: 60_000 }, async () => {
  makeClone();
  const ports = ['EARSHOT_PORT', 'EARSHOT_MQTT_PORT', 'EARSHOT_MEDIA_PORT'].map((name) => [name, '0'] as const);
  const env = {
    ...{ PATH: makeSlowNpm(), HOME: folder, EARSHOT_DATA_DIR: join(folder, 'data') },
    ...{ EARSHOT_SPEECH_DIR: join(folder, 'speech'), ...Object.fromEntries(ports) },
  };
  const started = spawn(process.execPath, [join(folder, 'bin/start.mjs')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const address = await new Promise<string>((resolve, reject) => {
    started.once('exit', (code) => reject(new Error(`The start ended with ${code}.`)));
    createInterface({ input: started.stdout }).on('line', (line) => {
      const [, http] = /"http":"([^"]+)"/.exec(line) ?? [];
      if (http !== undefined) resolve(http);
    });
  });
  const asked = join(folder, 'asked');
  await eventually(() => expect(existsSync(asked) && readFileSync(asked, 'utf8')).toMatch(toNpm));
  const fetching = Number(readFileSync(asked, 'utf8').split(' ')[0]);
  expect(isRunning(fetching)).toBe(true);
  expect((await fetch(`${address}/health/ready`)).status).toBe(200);
  started.kill('SIGTERM');
  await once(started, 'exit');
  await eventually(() => expect(isRunning(fetching)).toBe(false));
});
