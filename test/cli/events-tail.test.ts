/** `events tail`: columns with names on a terminal, the events themselves elsewhere, and one room followed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';

const program = createRequire(import.meta.url).resolve('../../bin/earshot.js');
const ctrlC = '\u0003';
let daemon: TestDaemon;
let receiver: Receiver;
const cli = commandLine();
const running: ChildProcess[] = [];
const { PATH = '' } = process.env;
const environment = () => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey, XDG_CONFIG_HOME: cli.config });
const params = () => ({ projectId: daemon.projectId });
const open = async (room: string) => {
  const body = { title: `In ${room}`, externalRoomId: room, autoStart: false };
  return (await daemon.client.call(sessionRoutes.create, { params: params(), body })).id;
};
const say = (id: string, externalUserId: string, content: string) =>
  daemon.client.call(sessionRoutes.say, { params: { ...params(), id }, body: { externalUserId, content } });
const warn = (externalUserId: string, reason: string) =>
  daemon.client.call(sanctionRoutes.create, { params: params(), body: { type: 'warn', externalUserId, reason } });

beforeAll(async () => {
  receiver = await startReceiver();
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.1/32' } });
  for (const [externalUserId, displayName] of [
    ['u1', 'Bob'],
    ['u2', 'Ann'],
  ] as const)
    await daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId, displayName } });
});
afterAll(async () => {
  for (const one of running) one.kill();
  await daemon.stop();
  await receiver.stop();
  cli.dispose();
});

function tail(...args: string[]) {
  const child = spawn(process.execPath, [program, 'events', 'tail', ...args], { env: { PATH, ...environment() } });
  running.push(child);
  const said = { stdout: '', stderr: '' };
  for (const channel of ['stdout', 'stderr'] as const)
    child[channel].on('data', (chunk) => {
      said[channel] += String(chunk);
    });
  const events = () =>
    said.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return { said, events, stop: () => child.kill() };
}

describe('a key that may follow events and read nobody', () => {
  it('is told that --user takes an id with --id', async () => {
    const { credential } = await daemon.clientWith(['events:read'], daemon.projectId);
    const key = credential?.kind === 'apiKey' ? credential.key : '';
    const env = { ...environment(), EARSHOT_API_KEY: key, EARSHOT_PROJECT: daemon.projectId };
    const refused = await cli.run(['events', 'tail', '--user', 'Bob'], { env });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/cannot look up people by name: .*Add --id to use Bob as an external user id\./);
  });
});

describe('a daemon that is not there', () => {
  const nobody = { EARSHOT_URL: 'http://127.0.0.1:9', EARSHOT_API_KEY: 'key', EARSHOT_PROJECT: crypto.randomUUID() };
  it.each([
    ['events tail', ['events', 'tail']],
    ['topics tail', ['topics', 'tail']],
    ['listen --expect', ['listen', '--expect', 'sanction.created']],
  ])('ends %s at the first attempt', async (_, args) => {
    const { code, stderr } = await cli.run(args, { env: nobody });
    expect([code, stderr]).toEqual([7, expect.stringMatching(/^No daemon answers at \w+:\/\/127\.0\.0\.1:9/)]);
  });
});

describe('an answer', () => {
  let answer: (response: ServerResponse, request: IncomingMessage) => void = () => {};
  const server = createServer((request, response) => answer(response, request));
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const run = (...args: string[]) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return cli.run([...args, '--url', url], { env: { EARSHOT_API_KEY: 'key', EARSHOT_PROJECT: crypto.randomUUID() } });
  };

  it('of something else is not taken for one of a daemon', async () => {
    answer = (response) => response.end('<html>Log in to the guest network</html>');
    const { code, stderr } = await run('projects', 'list');
    expect([code, stderr]).toEqual([7, expect.stringMatching(/^The server at \S+ is not Earshot\./)]);
  });

  it('that is missing behind a sanction leaves it in force, and says how to undo it', async () => {
    const pass = async (response: ServerResponse, request: IncomingMessage) => {
      const { method = 'GET', url = '' } = request;
      if (/users$|api-keys$/.test(url)) return response.writeHead(503).end();
      const headers = { 'X-API-Key': daemon.apiKey, 'Content-Type': 'application/json' };
      const body = method === 'POST' ? await text(request) : null;
      const passed = await fetch(`${daemon.url}${url}`, { method, headers, body });
      return response.writeHead(passed.status).end(await passed.text());
    };
    answer = (response, request) => void pass(response, request);
    await warn('u1', 'before');
    const { code, stdout, stderr } = await run('warn', 'u1', '--project', daemon.projectId, '--json');
    const { id } = JSON.parse(stdout);
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([0, `To undo: earshot sanctions undo ${id}`]);
  });

  it('that is cut off is asked for again, and one that was interrupted ends with 130', async () => {
    const lines = { 'Content-Type': 'application/x-ndjson' };
    let cuts = 4; // on each connection that is open from earlier calls, the client asks again by itself
    answer = (response) => {
      response.writeHead(200, lines);
      cuts -= 1;
      if (cuts < 0) response.end('{"next":null}\n');
      else response.write(' ', () => response.destroy());
    };
    const cut = await run('audit', 'export');
    const lost = 'The connection is lost. Trying again for two minutes.';
    expect([cut.code, cut.stderr]).toEqual([0, expect.stringMatching(new RegExp(`^(${lost}\n)+0 entries\\.\n$`))]);
    answer = (response) => response.writeHead(200, lines).write(' ', () => process.emit('SIGINT'));
    const interrupted = await run('audit', 'export');
    expect([interrupted.code, interrupted.stderr]).toEqual([130, '0 entries.\n']);
  });

  it('that is a sound is asked for again where it is cut off, and written as a whole', async () => {
    let cuts = 2;
    answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': 8 });
      cuts -= 1;
      if (cuts < 0) response.end('RIFFWAVE');
      else response.write('RIFF', () => response.destroy());
    };
    const path = join(cli.config, 'sound.wav');
    const written = await run('reports', 'audio', crypto.randomUUID(), path);
    expect([written.code, written.stderr]).toEqual([0, `8 bytes in ${path}.\n`]);
    expect(readFileSync(path, 'utf8')).toBe('RIFFWAVE');
  });

  it('of another media type is not asked for again', async () => {
    answer = (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Log in</html>');
    const { code, stderr } = await run('audit', 'export');
    expect([code, stderr]).toEqual([7, expect.stringContaining('the media type text/html')]);
  });
});

describe('events tail --follow-room', { timeout: 60_000 }, () => {
  it('shows one room, also in its next session, and nothing of others', async () => {
    const [here, there] = [await open('here'), await open('there')];
    await say(here, 'u1', 'before');
    const { events, stop } = tail('--follow-room', 'here', '--since', 'earliest');
    await eventually(() => expect(events().map(({ type }) => type)).toContain('message.created'));
    await say(there, 'u2', 'elsewhere');
    await warn('u2', 'not here');
    await warn('u1', 'here');
    await daemon.client.call(sessionRoutes.remove, { params: { ...params(), id: here } });
    const again = await open('here');
    await say(again, 'u2', 'in the next session');
    await warn('u2', 'here too');
    await eventually(() => expect(events().at(-1)?.payload.data.reason).toBe('here too'));
    const told = events().map(({ type, payload: { data } }) => [
      type,
      data.content ?? data.reason ?? data.externalRoomId,
    ]);
    expect(told.filter(([type]) => /^(message|sanction)\./.test(type ?? ''))).toEqual([
      ['message.created', expect.anything()],
      ['sanction.created', 'here'],
      ['message.created', 'in the next session'],
      ['sanction.created', 'here too'],
    ]);
    expect(told).toContainEqual(['session.created', 'here']);
    expect(told).not.toContainEqual(['session.created', 'there']);
    stop();
  });

  it('begins at a time as people write it, and names the spelling of another', async () => {
    const { events, stop } = tail('--since', '1h', '--types', 'sanction.*');
    await eventually(() => expect(events()).not.toEqual([]));
    stop();
    const { code, stderr } = await cli.run(['events', 'tail', '--since', '5'], { env: environment() });
    expect([code, stderr]).toEqual([2, expect.stringContaining('has no unit')]);
  });

  it('tells of a type that looks like a slip', async () => {
    const { said, stop } = tail('--types', 'sanctoin.created');
    await eventually(() => expect(said.stderr).toContain('did you mean sanction.created'));
    stop();
  });
});

describe.skipIf(!hasTerminal)('events tail on a terminal', { timeout: 60_000 }, () => {
  const onScreen = (args: string) =>
    onTerminal(`stty cols 80 rows 24; '${process.execPath}' '${program}' events tail ${args}`, environment());

  it('has names, and deliveries only where they are asked for', async () => {
    const body = {
      url: receiver.url,
      secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      events: ['sanction.*'],
    };
    await daemon.client.call(webhookRoutes.create, { params: params(), body });
    const { participants } = await daemon.client.call(participantRoutes.list, { params: params() });
    expect(participants).toHaveLength(2);
    await warn('u1', 'for the webhook');
    await eventually(() => expect(receiver.received).not.toEqual([]));
    const [calm, noisy] = [onScreen('--since earliest'), onScreen('--since earliest --deliveries')];
    await noisy.answer('webhook.delivery', ctrlC);
    await warn('u1', 'the last');
    await calm.answer('the last', ctrlC);
    await Promise.all([calm.ended, noisy.ended]);
    expect(calm.shown).not.toContain('webhook.delivery');
    expect(calm.shown).toMatch(/sanction\.created.*Bob.*warn “for the webhook”/);
    const plain = stripVTControlCharacters(calm.shown);
    for (const line of plain.split('\r\n')) expect([...line].length).toBeLessThanOrEqual(80);
  });
});
