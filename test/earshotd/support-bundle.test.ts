/** `earshotd support-bundle`: everything that helps, and none of the secrets that were planted. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { earshotd } from '../support/program.js';
import { roomToken, signIn } from '../support/room-client.js';
import { unzipped } from '../support/unzipped.js';

const planted = {
  EARSHOT_MASTER_KEY: '0123456789abcdef'.repeat(4),
  EARSHOT_OPENAI_API_KEY: 'planted-openai-key',
  EARSHOT_SMTP_URL: 'smtp://studio:planted-mail-password@127.0.0.1:9',
  EARSHOT_OPENAI_BASE_URL: 'http://studio:planted-base-password@127.0.0.1:9/v1',
  EARSHOT_BILLING_URL: 'http://127.0.0.1:9/?api_key=planted-billing-key',
  EARSHOT_BILLING_TOKEN: 'planted-billing-token',
};
const secrets = ['planted-', planted.EARSHOT_MASTER_KEY];
const env = { ...planted, EARSHOT_LOG_LEVEL: 'trace', EARSHOT_TRANSCRIBER: 'off' };
const daemon = new DaemonProcess(env);
beforeAll(async () => {
  await daemon.start();
  const { client, projectId } = await signIn(daemon.url);
  const params = { projectId };
  const { key } = await client.call(apiKeyRoutes.create, { body: { name: 'planted', scopes: ['projects:read'] } });
  const token = await roomToken(client, projectId, 'r', 'ann');
  const body = { url: 'https://hooks.example/planted-path', secret: 'planted-signing-secret', events: ['*'] };
  await client.call(webhookRoutes.create, { params, body });
  secrets.push(key, token);
  for (const credential of [key, token]) {
    await fetch(`${daemon.url}/api/projects?token=${credential}&key=${credential}`, { headers: { 'X-API-Key': key } });
    await fetch(`${daemon.url}/nothing/${credential}`, { headers: { Authorization: `Bearer ${token}` } });
  }
});
afterAll(() => daemon.dispose());

const bundle = async (name: string, dataDir = daemon.dataDir) => {
  const file = join(daemon.dataDir, name);
  const ended = await earshotd(dataDir, ['support-bundle', file], { env });
  const files = Object.fromEntries([...unzipped(readFileSync(file))].map(([path, bytes]) => [path, bytes.toString()]));
  return { ...ended, file, files };
};

describe('earshotd support-bundle', () => {
  it('has what helps, for its owner alone, and none of the planted secrets', async () => {
    const { code, files, file, stdout } = await bundle('one.zip');
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${file}\n` });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(files['earshot-support/versions.txt']).toMatch(/^earshot {3}\d+\.\d+\.\d+/);
    expect(files['earshot-support/doctor.txt']).toMatch(/^ok {7}database /m);
    expect(files['earshot-support/settings.txt']).toMatch(/^EARSHOT_MASTER_KEY=\*\*\*$/m);
    expect(files['earshot-support/sizes.txt']).toMatch(/^ +\d+ {2}earshot\.db$/m);
    expect(files['earshot-support/log.jsonl']).toContain('"msg":"listening"');
    expect(files['earshot-support/metrics.txt']).toContain('earshot_http_requests_total');
    for (const [name, text] of Object.entries(files))
      for (const secret of secrets) expect(text.includes(secret), `${secret} in ${name}`).toBe(false);
  });

  it('leaves a file that is there as it is', async () => {
    const file = join(daemon.dataDir, 'taken.zip');
    writeFileSync(file, 'mine');
    const { code, stderr } = await earshotd(daemon.dataDir, ['support-bundle', file], { env });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('taken.zip is there already') });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('says how to add the log where no daemon runs', async () => {
    const { code, files } = await bundle('three.zip', join(daemon.dataDir, 'elsewhere'));
    expect(code).toBe(0);
    expect(files['earshot-support/log.jsonl']).toContain('journalctl');
    expect(files['earshot-support/doctor.txt']).toContain('is not running on this data folder');
  });
});
