import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { programEnvironment } from '../support/program-environment.js';
import { type Received, type Receiver, startReceiver } from '../support/receiver.js';
import { Relay } from '../support/relay.js';

const program = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));
const patienceMs = 60_000;
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let daemon: TestDaemon;
let folder: string;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  folder = mkdtempSync(join(tmpdir(), 'earshot-listen-'));
});
afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the command; returns its output until now, its end, and a way to stop it. */
function listen(...args: string[]) {
  const said = { stdout: '', stderr: '' };
  let child: ChildProcess | undefined;
  const ended = new Promise<number>((resolve) => {
    child = execFile(process.execPath, [program, 'listen', ...args], {
      cwd: folder,
      env: {
        ...programEnvironment,
        XDG_CONFIG_HOME: folder,
        EARSHOT_URL: daemon.url,
        EARSHOT_API_KEY: daemon.apiKey,
        EARSHOT_WEBHOOK_SECRET: secret,
      },
    });
    for (const channel of ['stdout', 'stderr'] as const)
      child[channel]?.on('data', (chunk: string) => {
        said[channel] += chunk;
      });
    child.once('close', (code) => resolve(code ?? -1));
  });
  return { said, ended, stop: () => child?.kill('SIGINT') };
}
const enter = (externalUserId: string) =>
  daemon.client.call(participantRoutes.create, { params: { projectId: daemon.projectId }, body: { externalUserId } });
const namesIn = (one?: Received) =>
  Object.keys(one?.headers ?? {})
    .filter((name) => /^(webhook-|x-|content-type|user-agent)/.test(name))
    .sort();
const earshot = (...args: string[]) => ['--', process.execPath, program, ...args];

describe('listen --expect', { timeout: patienceMs }, () => {
  it('passes when the command causes what is expected', async () => {
    const { said, ended } = listen(
      ...['--expect', 'sanction.created where type=mute', '--within', '30s', '--junit', 'passed.xml'],
      ...earshot('mute', 'u_1', '10m', '--new'),
    );
    expect([await ended, said.stderr]).toEqual([0, expect.stringContaining('sanction.created')]);
    expect(said.stdout).toContain('✓ sanction.created where type=mute: 1 event\n');
    expect(readFileSync(join(folder, 'passed.xml'), 'utf8')).toContain('tests="2" failures="0"');
  });

  it('fails when it does not, and says so in the JUnit file', async () => {
    const { said, ended } = listen(
      ...['--expect', 'sanction.created where type=perm_ban', '--within', '1s', '--junit', 'failed.xml'],
      ...earshot('mute', 'u_2', '10m', '--new'),
    );
    expect(await ended).toBe(1);
    expect(said.stdout).toContain('✗ sanction.created where type=perm_ban: 0 events, expected at least 1\n');
    const report = readFileSync(join(folder, 'failed.xml'), 'utf8');
    expect(report).toContain('tests="2" failures="1"');
    expect(report).toMatch(/message="[^"]*expected at least 1\. Arrived: .*1 × sanction\.created/);
    expect(report).toContain('&quot;type&quot;:&quot;mute&quot;');
    expect(said.stdout).toMatch(/^Arrived: .*1 × sanction\.created/m);
  });

  it('ends as soon as the result is certain, long before the time is over', async () => {
    const day = ['--within', '1d'];
    const failed = listen('--expect', 'sanction.created', ...day, '--', 'sh', '-c', 'exit 42');
    const surplus = listen(
      ...['--expect', 'sanction.created', '--expect', 'review.created', '--count', '0', ...day],
      ...earshot('mute', 'u_5', '10m', '--new'),
    );
    expect(await Promise.all([failed.ended, surplus.ended])).toEqual([42, 1]);
    expect(failed.said.stdout).toContain('ended before --within was over');
    expect(surplus.said.stdout).toContain('✗ sanction.created: 1 event, expected 0\n✓ review.created: 0 events');
  });

  it.each([
    [
      'an expectation',
      ['--expect', 'sanctoin.created'],
      'There is no event type sanctoin.created. Did you mean sanction.created',
    ],
    ['an expected domain', ['--expect', 'gatherings.*'], 'Did you mean gathering.*'],
    ['types', ['--types', 'message.created,mesage.*'], 'Did you mean message.*'],
    ['a target', ['--forward-to', 'reviews.created=http://127.0.0.1:9'], 'Did you mean review.created'],
    ['a type that nothing is near', ['--expect', 'server.started'], 'add --ingested'],
  ])('refuses a type that nobody sends in %s, with the nearest', async (_, args, says) => {
    const { said, ended } = listen(...args);
    expect([await ended, said.stderr]).toEqual([2, expect.stringContaining(says)]);
  });

  it('counts: too many are as wrong as too few', async () => {
    const { said, ended } = listen(
      ...['--expect', 'sanction.created', '--count', '1', '--within', '30s', '--json'],
      ...[
        '--',
        'sh',
        '-c',
        `"${process.execPath}" "${program}" mute u_3 --new && "${process.execPath}" "${program}" mute u_4 --new`,
      ],
    );
    expect(await ended).toBe(1);
    expect(said.stderr).toContain('u_3'); // what the command itself printed
    expect(JSON.parse(said.stdout)).toMatchObject({ exitCode: 0, findings: [{ count: 1, outcome: 'surplus' }] });
  });

  it('does not take a stream that was lost for the proof that nothing came', async () => {
    const relay = new Relay(() => daemon.url);
    await relay.start();
    const { said, ended } = listen(
      ...['--url', relay.url, '--expect', 'sanction.created', '--count', '0', '--within', '2s'],
      ...['--', 'sh', '-c', 'echo running; sleep 1'],
    );
    await eventually(() => expect(said.stdout).toContain('running'), patienceMs);
    relay.stop();
    expect([await ended, said.stdout]).toEqual([1, expect.stringContaining('an exact number is not proven')]);
  });

  it('ends with the exit code of a command that fails', async () => {
    const { said, ended } = listen('--expect', 'sanction.created', '--within', '0s', '--', 'sh', '-c', 'exit 42');
    expect([await ended, said.stdout]).toEqual([42, expect.stringContaining('The command ended with 42')]);
  });

  it('refuses what it does not understand, and a command that is not there', async () => {
    expect(await listen('--expect', 'not an expectation').ended).toBe(2);
    const { said, ended } = listen('--expect', 'a.b', '--ingested', '--', '/nowhere/to/be/found');
    expect([await ended, said.stderr]).toEqual([2, expect.stringContaining('cannot be run')]);
  });
});

describe('listen --forward-to', { timeout: patienceMs }, () => {
  let hook: Receiver;
  let forwarded: Receiver;
  let people: Receiver;
  beforeAll(async () => {
    [hook, forwarded, people] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  });
  afterAll(() => Promise.all([hook, forwarded, people].map((one) => one.stop())));

  it('sends the very bytes and signature of a webhook, by type to several addresses', async () => {
    await daemon.client.call(webhookRoutes.create, {
      params: { projectId: daemon.projectId },
      body: { url: hook.url, secret, events: ['participant.*', 'sanction.*'] },
    });
    await enter('somebody');
    const running = listen(
      '--forward-to',
      forwarded.url,
      '--forward-to',
      `participant.*=${people.url}`,
      '--types',
      'participant.*,sanction.*',
      '--since',
      'earliest',
    );
    await eventually(() => expect(forwarded.received.length).toBeGreaterThan(0), patienceMs);
    await enter('somebody "quoted" ☃');
    await eventually(() => {
      for (const receiver of [hook, forwarded, people])
        expect(receiver.received.map(({ body }) => body).join()).toContain('☃');
    }, patienceMs);
    const find = (receiver: Receiver) => receiver.received.find(({ body }) => body.includes('☃'));
    const [delivered, sent, alsoSent] = [hook, forwarded, people].map(find);
    expect(sent?.body).toBe(delivered?.body);
    expect(alsoSent?.body).toBe(delivered?.body);
    expect(namesIn(sent)).toEqual(namesIn(delivered));
    expect(sent?.headers['webhook-id']).toBe(delivered?.headers['webhook-id']);
    new Webhook(secret).verify(sent?.body ?? '', sent?.headers as Record<string, string>);
    expect(people.received.every(({ body }) => body.includes('"type":"participant.'))).toBe(true);
    const shown = await eventually(() => {
      const line = running.said.stdout.split('\n').find((one) => one.includes('☃') && one.endsWith('}'));
      return JSON.parse(line ?? '');
    });
    expect(shown).toMatchObject({
      event: { type: 'participant.created' },
      answers: [{ status: 204 }, { status: 204 }],
    });
    running.stop();
    expect(await running.ended).toBe(130);
  });

  it('sends a line for chat services where it is asked to', async () => {
    await enter('<talkative>');
    const running = listen(
      ...['--forward-to', forwarded.url, '--format', 'chat'],
      ...['--types', 'participant.created', '--since', 'earliest'],
    );
    const find = () => forwarded.received.find(({ body }) => body.includes('talkative') && body.includes('"text"'));
    const sent = await eventually(() => find() ?? expect.unreachable('It has not come.'), patienceMs);
    expect(JSON.parse(sent.body)).toMatchObject({
      text: expect.stringContaining('externalUserId: &lt;talkative&gt;'),
      content: expect.stringContaining('externalUserId\\: \\<talkative\\>'),
    });
    new Webhook(secret).verify(sent.body, sent.headers);
    running.stop();
    expect(await running.ended).toBe(130);
  });
});
