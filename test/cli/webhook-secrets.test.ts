/** No secret stands on a command line: it is asked for, or comes from standard input or a file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { WebhookSubscription } from '../../src/contract/webhooks/webhooks.js';
import { type CommandLine, commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const folder = mkdtempSync(join(tmpdir(), 'earshot-cli-'));
const require = createRequire(import.meta.url);

let daemon: TestDaemon;
let cli: CommandLine;
let receiver: Receiver;
const environment = () => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey });
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  cli = commandLine(environment);
});
afterAll(async () => {
  cli.dispose();
  rmSync(folder, { recursive: true, force: true });
  await daemon.stop();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const create = (...more: string[]) => ['webhooks', 'create', '--to', receiver.url, '--events', 'sanction.*', ...more];
/** The delivery of a test, its signature verified. */
const delivered = async (id: string) => {
  expect((await cli.run(['webhooks', 'test', id])).code).toBe(0);
  const [delivery] = receiver.received.slice(-1);
  new Webhook(secret).verify(delivery?.body ?? '', delivery?.headers ?? {});
  return delivery?.headers;
};

describe('secrets of a webhook', { timeout: 60_000 }, () => {
  it('come from standard input, and from a file', async () => {
    const input = JSON.stringify({ secret, apiKey: 'k-1' });
    const made = await cli.json<WebhookSubscription>(create('--auth-type', 'api_key', '--secrets-stdin'), { input });
    expect(await delivered(made.id)).toMatchObject({ 'x-api-key': 'k-1' });

    const file = join(folder, 'secrets.json');
    writeFileSync(file, JSON.stringify({ secret, basicAuthPassword: 'p' }));
    const basic = ['--auth-type', 'basic_auth', '--basic-auth-username', 'u', '--secrets-file', file];
    await cli.json(['webhooks', 'update', made.id, ...basic]);
    expect(await delivered(made.id)).toMatchObject({ authorization: `Basic ${Buffer.from('u:p').toString('base64')}` });
  });

  it('are made and shown once where none is brought', async () => {
    const { code, stderr } = await cli.run(create());
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/whsec_/) });
  });

  it('are in the object with --json, of a new webhook and of one that gets another', async () => {
    const made = await cli.json<WebhookSubscription & { secret: string }>(create());
    expect(made.secret).toMatch(/^whsec_/);
    const rotate = ['webhooks', 'rotate-secret', made.id, '--grace-seconds', '0s', '--yes'];
    const rotated = await cli.json<WebhookSubscription & { secret: string }>(rotate);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(made.secret);
    expect((await cli.run(['webhooks', 'test', made.id])).code).toBe(0);
    const [delivery] = receiver.received.slice(-1);
    new Webhook(rotated.secret).verify(delivery?.body ?? '', delivery?.headers ?? {});
  });

  it.each([
    ['--secret', 'hunter2hunter2'],
    ['--api-key', 'hunter2'],
    ['--basic-auth-password', 'hunter2'],
    ['--custom-headers', '{"X-Key":"hunter2"}'],
  ])('are refused as the value of %s', async (flag, value) => {
    const { code, stderr } = await cli.run(create(flag, value));
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--secrets-stdin') });
    expect(stderr).not.toContain('hunter2');
  });

  it.each([
    ['without a terminal', () => create('--auth-type', 'api_key'), '', /--secrets-stdin/],
    ['without JSON', () => create('--secrets-stdin'), secret, /no JSON object/],
    ['without a file', () => create('--secrets-file', join(folder, 'none')), '', /cannot be read/],
    ['with another field', () => create('--secrets-stdin'), '{"apikey":"hunter2"}', /apikey/],
  ])('that cannot be read are named by the way to bring them: %s', async (_, args, input, says) => {
    const { code, stderr } = await cli.run(args(), { input });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(says) });
    expect(stderr).not.toMatch(/hunter2|whsec_/);
  });

  it.skipIf(!hasTerminal)('are asked for on a terminal, hidden', async () => {
    const program = `'${process.execPath}' '${require.resolve('../../bin/earshot.js')}'`;
    const command = create('--auth-type', 'api_key', '--ask-secret', '--json').join(' ');
    const printed = join(folder, 'made.json');
    const asked = onTerminal(`${program} ${command} > '${printed}'`, { XDG_CONFIG_HOME: folder, ...environment() });
    await asked.answer('Signing key', `${secret}\r`);
    await asked.answer('again', `${secret}\r`);
    await asked.answer('API key', 'k-2\r');
    expect(await asked.ended).toBe(0);
    expect(asked.shown).not.toMatch(/whsec_|k-2/);
    const { id } = z.object({ id: z.string() }).parse(JSON.parse(readFileSync(printed, 'utf8')));
    expect(await delivered(id)).toMatchObject({ 'x-api-key': 'k-2' });
  });

  it('move to another server when they are brought again', async () => {
    const made = await cli.json<WebhookSubscription>(create('--secrets-stdin'), { input: JSON.stringify({ secret }) });
    const elsewhere = await startReceiver();
    const move = ['webhooks', 'update', made.id, '--to', elsewhere.url];
    expect(await cli.run(move)).toMatchObject({ code: 5, stderr: expect.stringContaining('secrets again') });
    expect((await cli.run([...move, '--secrets-stdin'], { input: JSON.stringify({ secret }) })).code).toBe(0);
    await elsewhere.stop();
  });
});

describe('webhooks create --events', () => {
  it('takes types that the daemon makes, and others only when they are ingested', async () => {
    const on = (...more: string[]) => cli.run(['webhooks', 'create', '--to', receiver.url, '--events', ...more]);
    expect(await on('sanctions.*')).toMatchObject({ code: 2, stderr: expect.stringContaining('mean sanction.*?') });
    expect(await on('fleet.started')).toMatchObject({ code: 2, stderr: expect.stringContaining('--ingested') });
    expect(await on('fleet.started', '--ingested')).toMatchObject({ code: 0 });
  });
});

describe('the commands', () => {
  it('have no flag that takes a secret as its value', () => {
    const Manifest = z.object({
      commands: z.record(
        z.string(),
        z.object({ flags: z.record(z.string(), z.object({ type: z.string(), hidden: z.boolean().optional() })) }),
      ),
    });
    const { commands } = Manifest.parse(JSON.parse(readFileSync(require.resolve('../../oclif.manifest.json'), 'utf8')));
    const valued = Object.entries(commands).flatMap(([command, { flags }]) =>
      Object.entries(flags)
        .filter(([, { type, hidden }]) => type === 'option' && hidden !== true)
        .map(([flag]) => `${command} --${flag}`),
    );
    const named = valued.filter((flag) => /secret|passw|-key$|-token$|credential/.test(flag.split(' --')[1] ?? ''));
    expect(named.filter((flag) => !flag.endsWith(' --secrets-file'))).toEqual([]);
  });
});
