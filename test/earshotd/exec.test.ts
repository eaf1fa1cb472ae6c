/** `earshotd exec`: however it ends, its command, its daemon and its folder end with it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { secretNames } from '../../daemon/platform/config/schema.js';
import { eventually } from '../support/eventually.js';
import { earshotd } from '../support/program.js';
import { programEnvironment } from '../support/program-environment.js';
import { speechForTests } from '../support/speech-clips.js';

const speech = await speechForTests();
const program = fileURLToPath(new URL('../../bin/earshotd.js', import.meta.url));
const patienceMs = 60_000;
let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-exec-test-'));
  env = { TMPDIR: folder, EARSHOT_TRANSCRIBER: 'off' };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const exec = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  earshotd(join(folder, 'unused'), ['exec', ...args], { env: { ...env, ...more } });
const foldersLeft = () => readdirSync(folder).filter((name) => name.startsWith('earshot-exec-'));
const isAlive = (pid: number) => {
  try {
    // A process that has ended and waits to be collected no longer goes on.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('the command of earshotd exec', { timeout: patienceMs * 2 }, () => {
  it('passes on its exit code, and the signal that ended it', async () => {
    const ended = await Promise.all(['exit 7', 'kill -KILL $$'].map((script) => exec(['--', 'sh', '-c', script])));
    expect(ended.map(({ code }) => code)).toEqual([7, 137]);
    expect(foldersLeft()).toEqual([]);
  });

  it('is told of in one line when it is not there or cannot be run', async () => {
    const file = join(folder, 'plain.txt');
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    expect(await Promise.all([exec(['--', 'no-such-command']), exec(['--', file])])).toEqual([
      { code: 127, stdout: '', stderr: 'earshotd exec: no-such-command: there is no such command.\n' },
      { code: 126, stdout: '', stderr: `earshotd exec: ${file}: it cannot be run (EACCES).\n` },
    ]);
    expect(foldersLeft()).toEqual([]);
  });

  it('gets the addresses of the daemon, a key, and the login of its administrator', async () => {
    const names = ['URL', 'API_KEY', 'PROJECT', 'MQTT_URL', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'].map(
      (name) => `EARSHOT_${name}`,
    );
    const script = `console.log(${JSON.stringify(names)}.filter((name) => !process.env[name]).join())`;
    expect(await exec(['--', 'node', '-e', script])).toMatchObject({ code: 0, stdout: '\n' });
  });

  it('gets no secret of the usual installation', async () => {
    const values = {
      EARSHOT_MASTER_KEY: 'c0ffee11'.repeat(8),
      EARSHOT_SMTP_URL: 'smtp://earshot:c0ffee11@127.0.0.1:9',
      EARSHOT_BILLING_URL: 'http://127.0.0.1:9',
      EARSHOT_BACKUP_IDENTITY: 'AGE-SECRET-KEY-1C0FFEE11',
      EARSHOT_BACKUP_S3_URL: 'http://127.0.0.1:9/backups',
      EARSHOT_BACKUP_S3_KEY_ID: 'earshot',
    };
    const isOnly = (name: string) => !/DATABASE|ADMIN_PASSWORD/.test(name); // one is kept, the others are for PostgreSQL and set anew
    const secrets = secretNames.filter(isOnly);
    const usual = { ...Object.fromEntries(secrets.map((name) => [name, 'c0ffee11'])), ...values };
    const script = `console.log(${JSON.stringify(secrets)}.filter((name) => name in process.env).join())`;
    expect(await exec(['--', 'node', '-e', script], usual)).toMatchObject({ code: 0, stdout: '\n' });
  });

  it('receives webhooks on this machine', async () => {
    const script = `
      const server = require('node:http').createServer((request, response) => {
        response.end();
        console.log(request.headers['webhook-id'] !== undefined);
        process.exit();
      });
      server.listen(0, '127.0.0.1', async () => {
        const { EARSHOT_URL, EARSHOT_PROJECT, EARSHOT_API_KEY } = process.env;
        const post = async (path, body) => {
          const headers = { 'X-API-Key': EARSHOT_API_KEY, 'Content-Type': 'application/json' };
          const address = EARSHOT_URL + '/api/projects/' + EARSHOT_PROJECT + '/webhooks/subscriptions' + path;
          return (await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })).json();
        };
        const url = 'http://127.0.0.1:' + server.address().port;
        const { id } = await post('', { url, events: ['*'], secret: 'a long secret' });
        await post('/' + id + '/test', {});
        setTimeout(() => process.exit(1), 10000);
      });`;
    const { code, stdout } = await exec(['--', 'node', '-e', script], { EARSHOT_OUTBOUND_ALLOW: '10.0.0.0/8' });
    expect([code, stdout]).toEqual([0, 'true\n']);
  });

  it('is not run where the daemon cannot start', async () => {
    const { code, stderr } = await exec(['--set', 'EARSHOT_PORT=none', '--', 'true']);
    expect({ code, told: stderr.includes('EARSHOT_PORT') }).toEqual({ code: 125, told: true });
    expect(foldersLeft()).toEqual([]);
  });

  it('ends with all that it has started, whatever signal exec gets', async () => {
    const signals = [
      ['SIGTERM', 143],
      ['SIGINT', 130],
      ['SIGHUP', 129],
      ['SIGKILL', null],
    ] as const;
    const started = await Promise.all(
      signals.map(async ([signal, code]) => {
        const pids = join(folder, signal);
        const script = `sleep 1000 & echo "$$ $!" > ${pids}.new; mv ${pids}.new ${pids}; wait`;
        const child = spawn(process.execPath, [program, 'exec', '--', 'sh', '-c', script], {
          env: { ...programEnvironment, ...env },
          stdio: 'ignore',
        });
        await eventually(() => expect(existsSync(pids)).toBe(true), patienceMs);
        return { child, signal, code, own: readFileSync(pids, 'utf8').trim().split(' ').map(Number) };
      }),
    );
    expect(foldersLeft()).toHaveLength(signals.length);
    for (const { child, signal, code, own } of started) {
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
      expect({ signal, code: child.exitCode }).toEqual({ signal, code });
      // After SIGKILL somebody else has to clean up, which takes a moment.
      await eventually(() => expect(own.filter(isAlive)).toEqual([]), patienceMs);
    }
    await eventually(() => expect(foldersLeft()).toEqual([]), patienceMs);
  });
});

describe('earshotd exec --with-speech', { timeout: patienceMs }, () => {
  const touch = () => ['--with-speech', '--', 'touch', join(folder, 'was-run')];

  it('runs nothing where no recogniser works', async () => {
    const missing = { EARSHOT_TRANSCRIBER: 'sherpa', EARSHOT_SHERPA_MODEL_DIR: join(folder, 'nowhere') };
    const { code, stderr } = await exec(touch(), missing);
    expect(code).toBe(69);
    expect(stderr).toMatch(
      /^earshotd exec: --with-speech found no recogniser, so nothing was run\. The model folder .*\n$/,
    );
    expect(existsSync(join(folder, 'was-run'))).toBe(false);
    expect(foldersLeft()).toEqual([]);
  });

  it.skipIf(speech === null)('finds what was installed for the account, and for the usual data folder', async () => {
    const installed = { EARSHOT_TRANSCRIBER: 'pocketsphinx' };
    const places: Record<string, string>[] = [
      { EARSHOT_SPEECH_DIR: speech?.speechDir ?? '' },
      { EARSHOT_DATA_DIR: speech?.dataDir ?? '' },
    ];
    const ended = await Promise.all(places.map((place) => exec(touch(), { ...installed, ...place })));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  });
});
