/**
 * Clients made from the OpenAPI document by two generators, compiled strictly and called through, and a linter.
 * The generators live in a folder with a lock file of its own; nothing of the package depends on them.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { MediaPeer, opusLine } from '../../src/client/voice/media-peer.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { isRegistryAway } from '../support/registry.js';

const folder = join(import.meta.dirname, 'typescript');
const patienceMs = 300_000;

const execute = promisify(execFile);
/** Throws with what was printed when the program fails. */
async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024 };
  return execute(program, args, options).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${program} ${args.join(' ')}: ${stdout}\n${stderr}`);
    },
  );
}
const script = (name: string): Promise<string> => run('npm', ['run', '--silent', name]);

/** Installs what the lock file says, once. false: the registry is not there, and this is not CI. */
async function installed(): Promise<boolean> {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(folder, 'node_modules', '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return true;
  rmSync(join(folder, 'generated'), { recursive: true, force: true });
  try {
    await run('npm', ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']);
  } catch (error) {
    if (!isRegistryAway(error)) throw error;
    console.warn('The npm registry is not there: the OpenAPI clients are not tried.');
    return false;
  }
  writeFileSync(stamp, lock);
  return true;
}

/** Generates the clients once per document, because the generators take longer than the tests of the clients. */
async function generate(document: string): Promise<void> {
  const made = join(folder, 'generated');
  const file = join(made, 'openapi.json');
  const stamp = join(made, '.done');
  if (existsSync(stamp) && readFileSync(file, 'utf8') === document) return;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  writeFileSync(file, document);
  await script('generate');
  writeFileSync(stamp, '');
}

const isInstalled = await installed();

describe.skipIf(!isInstalled)('the OpenAPI document that the daemon serves', () => {
  const daemon = new DaemonProcess();
  const speaker = new MediaPeer([opusLine('0', 'SendOnly')], { onPacket: () => {}, onEnded: () => {} });
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    await daemon.start();
    environment = { ...(await credentials(daemon.url)), OFFER_SDP: await speaker.offer() };
    const response = await fetch(`${daemon.url}/api/openapi.json`);
    await generate((await response.text()).replaceAll(daemon.url, 'http://127.0.0.1:8080'));
  }, patienceMs);
  afterAll(async () => {
    speaker.close();
    await daemon.dispose();
  });

  it(
    'passes the linter',
    async () => {
      await script('lint');
    },
    patienceMs,
  );

  describe('as generated clients', () => {
    beforeAll(async () => {
      await script('compile');
    }, patienceMs);

    const both = {
      refused: 'sanction_target_required',
      unknown: 'sanction_not_found',
      stranger: 'credential_missing',
      streamed: 'sanction.created',
      answered: 'v=0',
      left: 200,
      ready: 'ok',
    };
    it.each([
      ['openapi-typescript with openapi-fetch', 'with-openapi-fetch', both],
      ['@hey-api/openapi-ts', 'with-hey-api', { ...both, state: 'room.state', broken: 400, counted: 'OK' }],
    ])(
      'of %s call a daemon',
      async (_, program, seen) => {
        const said = await run(process.execPath, [`generated/out/${program}.js`], environment);
        expect(JSON.parse(said)).toEqual(seen);
      },
      patienceMs,
    );
  });
});

async function credentials(url: string): Promise<Record<string, string>> {
  const { accessToken } = await new EarshotClient({ baseUrl: url }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  const admin = new EarshotClient({ baseUrl: url, credential: { kind: 'bearer', token: accessToken } });
  const [project] = await admin.call(projectRoutes.list, {});
  const scopes = ['participants', 'sanctions', 'events', 'tokens', 'gameplay'] as const;
  const { key } = await admin.call(apiKeyRoutes.create, { body: { name: 'clients', scopes: [...scopes] } });
  return {
    DAEMON_URL: url,
    DAEMON_API_KEY: key,
    DAEMON_PROJECT: project?.id ?? '',
    DAEMON_EMAIL: administrator.email,
    DAEMON_PASSWORD: administrator.password,
  };
}
