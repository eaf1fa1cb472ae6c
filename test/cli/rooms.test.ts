import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWav } from '../../src/client/voice/wav-file.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { programEnvironment } from '../support/program-environment.js';
import { toneWav } from '../support/tone.js';

const program = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'earshot-rooms-'));
const patienceMs = 30_000;
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
  writeFileSync(join(folder, 'tone.wav'), toneWav(2));
});
afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

const begin = (...args: string[]) => beginAt(daemon.url, ...args);
function beginAt(url: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, 'rooms', ...args], {
    cwd: folder,
    env: { ...programEnvironment, XDG_CONFIG_HOME: folder, EARSHOT_URL: url, EARSHOT_API_KEY: daemon.apiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  return {
    interrupt: () => child.kill('SIGINT'),
    ended: async () => {
      const [stdout, stderr] = await printed;
      return { code: await exited, stdout, stderr };
    },
  };
}
const cli = (...args: string[]) => begin(...args).ended();
const areThere = (people: object[]) =>
  eventually(async () => {
    const rooms = await daemon.client.call(roomRoutes.list, { params: { projectId: daemon.projectId } });
    const there = rooms.flatMap(({ peers }) => peers);
    for (const person of people) expect(there).toContainEqual(expect.objectContaining(person));
  }, patienceMs);

describe('earshot rooms', { timeout: 90_000 }, () => {
  it('mutes and closes a room, says how to end that, and shows it', async () => {
    const muted = await cli('mute', 'arena', '10m', '--new');
    expect(muted).toMatchObject({ code: 0, stdout: '' });
    expect(muted.stderr).toMatch(
      /^mute arena until .*\(in 10m\)\.\nThe room is muted to everybody .* To end it: earshot rooms unmute arena\n$/,
    );
    const closed = JSON.parse((await cli('close', 'arena', '--json')).stdout);
    expect(closed).toMatchObject({ roomId: 'arena', muted: { until: expect.any(String) }, closed: { until: null } });
    expect((await cli('list')).stdout).toMatch(/arena\s+muted, closed/);
    expect((await cli('unmute', 'arena')).stderr).toContain('To end it: earshot rooms reopen arena');
    expect(await cli('reopen', 'arena')).toMatchObject({ code: 0, stderr: 'The room arena is open again.\n' });
    expect((await cli('list')).stdout).not.toContain('arena');
    const wrong = await cli('mute', 'arena', '0m', '--new');
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain('Write a duration above 0');
  });

  it('speaks a file; listening tells who speaks until ctrl-c, and recording keeps it however it ends', async () => {
    mkdirSync(join(folder, 'taken'));
    writeFileSync(join(folder, 'taken', 'u%2F1.wav'), 'of another evening');
    const record = (to: string, user: string) => begin('record', 'demo', to, '--user', user, '--json');
    const [listening, recording, refused] = [
      begin('listen', 'demo'),
      record('evening', 'tape'),
      record('taken', 'late'),
    ];
    await areThere([
      { displayName: 'default team', observer: true },
      { externalUserId: 'tape', observer: false },
      { externalUserId: 'late', observer: false },
    ]);
    const spoken = await cli('speak', 'demo', 'tone.wav', '--user', 'u/1', '--name', 'Ann', '--json');
    expect({ code: spoken.code, ...JSON.parse(spoken.stdout) }).toEqual({
      code: 0,
      roomId: 'demo',
      externalUserId: 'u/1',
      seconds: 2,
      packets: 150,
    });
    listening.interrupt();
    const ban = { type: 'perm_ban', externalUserId: 'tape' } as const;
    await daemon.client.call(sanctionRoutes.create, { params: { projectId: daemon.projectId }, body: ban });
    const [told, kept] = [await listening.ended(), await recording.ended()];
    expect([told.code, kept.code]).toEqual([130, 5]);
    expect(await refused.ended()).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') });
    const happenings = told.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(happenings[0]).toMatchObject({ type: 'room.state', you: { publish: false, observer: true } });
    expect(happenings).toContainEqual(expect.objectContaining({ type: 'speech.started', speaker: 'u/1' }));
    expect(happenings.find(({ type }) => type === 'speech.ended')?.seconds).toBeGreaterThan(1.5);
    const [track] = JSON.parse(kept.stdout);
    expect(track).toMatchObject({ externalUserId: 'u/1', file: join('evening', 'u%2F1.wav') });
    const wav = readWav(readFileSync(join(folder, track.file)));
    const loud = Array.from({ length: wav.length }, (_, index) => wav.at(index)).filter((sample) => sample > 0.15);
    expect(wav.rate).toBe(48_000);
    expect(loud.length).toBeGreaterThan(1_000);
  });

  it('ends by ctrl-c while it still joins', async () => {
    let asked = 0;
    const silent = createServer((request, response) => {
      asked += request.url?.includes('/rooms/demo/') === true ? 1 : 0;
      const url = `http://${request.headers.host}/rooms/demo`;
      response.setHeader('Content-Type', 'application/json');
      const token = {
        token: 'x',
        provider: 'embedded',
        url,
        otherUrls: [],
        roomId: 'demo',
        expiresAt: null,
        e2ee: null,
      };
      const room = { roomId: 'demo', peers: [], sessionId: null, muted: null, closed: null };
      if (request.method === 'GET' && request.url?.startsWith('/api/') === true) response.end(JSON.stringify([room]));
      else if (request.url?.endsWith('/events') !== true) response.end(JSON.stringify(token));
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const joining = beginAt(address, 'record', 'demo', 'nothing', '--project', daemon.projectId);
    await eventually(() => expect(asked).toBeGreaterThan(0), patienceMs);
    joining.interrupt();
    expect((await joining.ended()).code).toBe(130);
    silent.closeAllConnections();
    silent.close();
  });

  it('prints a link that opens the page for one person', async () => {
    const { stdout } = await cli('open', 'demo', '--user', 'u1');
    expect(stdout).toMatch(new RegExp(`^${daemon.url}/rooms/demo#token=eyJ[\\w.-]+\n$`));
    const [one, other] = [await cli('open', 'demo', '--json'), await cli('open', 'demo', '--json')];
    expect(JSON.parse(one.stdout).externalUserId).toMatch(/^guest-\d{4}$/);
    expect(one.stdout).not.toBe(other.stdout);
    const observing = new URL(JSON.parse((await cli('open', 'demo', '--observe', '--json')).stdout).link);
    const token = new URLSearchParams(observing.hash.slice(1)).get('token') ?? '';
    expect(decodeJwt(token)).toMatchObject({ observer: true, publish: false });
  });

  it.each([
    ['a file that is not there', ['speak', 'demo', 'nothing.wav'], 2, 'There is no file nothing.wav.'],
    ['a file that is no recording', ['speak', 'demo', program], 2, 'is no WAV file. Convert it'],
    ['an observer with a name', ['open', 'demo', '--observe', '--name', 'Ann'], 2, '--name'],
    ['a length that is no length', ['listen', 'demo', '--for', 'ages'], 2, '"ages" is not a duration'],
  ])('refuses %s', async (_, args, code, sentence) => {
    const ended = await cli(...args);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(sentence);
  });
});
