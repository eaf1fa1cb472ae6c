/** The first start of an installation, when it fails and when it succeeds: its password is never lost, its files are nobody else's. */
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { earshotd } from '../support/program.js';

const email = 'admin@localhost';
/** Mode of a file that a careless shell creates. */
const looseFile = 0o644;
const looseFolder = 0o755;
let daemon: DaemonProcess;
beforeEach(() => {
  daemon = new DaemonProcess({ EARSHOT_ADMIN_PASSWORD: '' }, { makesTables: true });
});
afterEach(() => daemon.dispose());

async function taken(): Promise<{ server: Server; port: string }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? String(address.port) : '' };
}

const passwordFile = () => join(daemon.dataDir, 'admin-password');
const refused = (env: Readonly<Record<string, string>>) =>
  earshotd(daemon.dataDir, ['run'], {
    env: { EARSHOT_PORT: '0', EARSHOT_MQTT_PORT: '0', EARSHOT_MEDIA_PORT: '0', EARSHOT_TRANSCRIBER: 'off', ...env },
  });

async function signedIn(): Promise<EarshotClient> {
  const password = readFileSync(passwordFile(), 'utf8').trim();
  const { accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
    body: { email, password },
  });
  return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
}

/** Everything in the folder, itself included, that somebody else may read, write or run. */
function openToOthers(path: string): string[] {
  const info = lstatSync(path);
  const here =
    !info.isSymbolicLink() && (info.mode & 0o077) !== 0 ? [`${path} ${(info.mode & 0o777).toString(8)}`] : [];
  return info.isDirectory() ? [...here, ...readdirSync(path).flatMap((name) => openToOthers(join(path, name)))] : here;
}

it('leaves the password to the start that succeeds, which says where it is for as long as its file is there', async () => {
  for (const setting of ['EARSHOT_PORT', 'EARSHOT_MQTT_PORT', 'EARSHOT_METRICS_PORT']) {
    const { server, port } = await taken();
    const { code, stderr } = await refused({ [setting]: port });
    server.close();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Port ${port} on 127.0.0.1 is taken. Set ${setting} to another one.\n`,
    });
    expect(existsSync(passwordFile())).toBe(false);
  }
  const cert = join(daemon.dataDir, 'cert.pem');
  writeFileSync(cert, 'no certificate');
  const { code, stderr } = await refused({ EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: cert });
  expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 1 });
  expect(existsSync(passwordFile())).toBe(false);

  await daemon.start();
  await expect(signedIn()).resolves.toBeInstanceOf(EarshotClient);
  await eventually(() => expect(daemon.printed.join('\n')).toContain(`"passwordFile":"${passwordFile()}"`));
  await daemon.end('SIGTERM');
  await daemon.start();
  await eventually(() =>
    expect(daemon.printed.join('\n')).toContain("the administrator's first password is in a file"),
  );
});

describe('the data folder', () => {
  it('is closed to others, whatever made it and whatever the umask is, and again by the start after somebody opened it', async () => {
    chmodSync(daemon.dataDir, looseFolder);
    mkdirSync(join(daemon.dataDir, 'speech'), { mode: looseFolder });
    for (const name of ['earshot.db', 'key-ring.json.new'])
      writeFileSync(join(daemon.dataDir, name), '', { mode: looseFile });
    const told = () => daemon.printed.filter((line) => line.includes('others could read files of the data folder'));
    const before = process.umask(0o000);
    try {
      await daemon.start();
      expect(told()).toHaveLength(1);
      await useIt();
      await daemon.start();
    } finally {
      process.umask(before);
    }
    expect(openToOthers(daemon.dataDir)).toEqual([]);
    await daemon.end('SIGTERM');
    const opened = (path: string): void => {
      const isFolder = lstatSync(path).isDirectory();
      chmodSync(path, isFolder ? looseFolder : looseFile);
      if (isFolder) for (const name of readdirSync(path)) opened(join(path, name));
    };
    opened(daemon.dataDir);
    await daemon.start();
    expect(openToOthers(daemon.dataDir)).toEqual([]);
    expect(told()).toHaveLength(1);
  });

  it('that holds something else keeps its mode, and what is ours in it is closed', async () => {
    chmodSync(daemon.dataDir, looseFolder);
    writeFileSync(join(daemon.dataDir, 'homework.txt'), '');
    chmodSync(join(daemon.dataDir, 'homework.txt'), looseFile); // whatever the umask of this process is
    await daemon.start();
    expect(openToOthers(daemon.dataDir)).toEqual([
      `${daemon.dataDir} 755`,
      `${join(daemon.dataDir, 'homework.txt')} 644`,
    ]);
    expect(daemon.printed.join('\n')).toContain('it also holds homework.txt, which does not belong to Earshot');
  });

  /** The daemon serves, and the operator's programs work beside it and, once it has ended, without it. */
  async function useIt(): Promise<void> {
    const admin = await signedIn();
    const params = { projectId: (await admin.call(projectRoutes.list, {}))[0]?.id ?? '' };
    await admin.call(participantRoutes.create, { params, body: { externalUserId: 'u1' } });
    for (const args of [['backup'], ['rotate-key'], ['verify']])
      expect(await earshotd(daemon.dataDir, args)).toMatchObject({ code: 0 });
    await daemon.end('SIGTERM');
    const [backup = ''] = readdirSync(join(daemon.dataDir, 'backups'));
    chmodSync(join(daemon.dataDir, 'backups', backup), looseFile);
    const restored = await earshotd(daemon.dataDir, ['restore', join(daemon.dataDir, 'backups', backup)]);
    expect(restored).toMatchObject({ code: 0 });
  }
});
