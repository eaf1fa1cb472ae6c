/** `rooms watch` on a terminal: what is seen, what the keys do, and the terminal as it was before. And `rooms kick`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';
import { VirtualTerminal } from '../support/virtual-terminal.js';

const program = createRequire(import.meta.url).resolve('../../bin/earshot.js');
const { PATH = '' } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'earshot-watch-'));
const ctrlC = '\u0003';
const down = '\u001b[B';

let daemon: TestDaemon;
let sessionId: string;
let token: string;
const visitors: ChildProcess[] = [];
const environment = () => ({ EARSHOT_URL: daemon.url, EARSHOT_TOKEN: token, XDG_CONFIG_HOME: folder });
const cli = commandLine(environment);
const params = () => ({ projectId: daemon.projectId });

beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_PORT: String(await freePort()) } });
  const { accessToken } = await daemon.client.call(accountRoutes.loginCredentials, { body: administrator });
  token = accessToken;
  const body = { title: 'Evening', externalRoomId: 'demo', autoStart: false };
  sessionId = (await daemon.client.call(sessionRoutes.create, { params: params(), body })).id;
});
afterAll(async () => {
  for (const one of visitors) one.kill();
  await daemon.stop();
  cli.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Somebody who listens in the room, until they are thrown out. */
async function visit(user: string, name: string): Promise<void> {
  const args = [program, 'rooms', 'listen', 'demo', '--user', user, '--name', name];
  visitors.push(spawn(process.execPath, args, { env: { PATH, ...environment() }, stdio: 'ignore' }));
  await eventually(async () => {
    const room = await daemon.client.call(roomRoutes.get, { params: { ...params(), roomId: 'demo' } });
    expect(room.peers).toContainEqual(expect.objectContaining({ externalUserId: user }));
  });
}
const say = (content: string) =>
  daemon.client.call(sessionRoutes.say, {
    params: { ...params(), id: sessionId },
    body: { externalUserId: 'u1', content },
  });
const sanctionsOf = (externalUserId: string) =>
  daemon.client.call(sanctionRoutes.ofUser, { params: { ...params(), externalUserId } });
function watch() {
  const terminal = new VirtualTerminal();
  return { terminal, ended: cli.run(['rooms', 'watch', 'demo'], { terminal }) };
}

describe('rooms watch', { timeout: 90_000 }, () => {
  it('without a terminal refuses, and names what to use instead', async () => {
    const { code, stderr } = await cli.run(['rooms', 'watch', 'demo']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('earshot events tail --follow-room demo')]);
  });

  it('shows who is there and what is said; keys mute, take back, note and kick who is chosen', async () => {
    await visit('u1', 'Bob');
    await visit('u2', 'Ann');
    const { terminal, ended } = watch();
    await terminal.shows('> Ann');
    await terminal.shows('2 people');
    await say('Go forward ten meters.');
    await terminal.shows(/Bob +Go forward ten meters\./);
    terminal.type(down);
    await terminal.shows('> Bob');

    terminal.type('m');
    await terminal.shows('How long to mute Bob');
    for (const [typed, says] of [
      ['nonsense', '"nonsense" is not a duration'],
      ['10', '"10" has no unit; write 10s, 10m'],
      ['0m', 'Write a duration above 0'],
    ] as const) {
      terminal.type(`${typed}\r`);
      await terminal.shows(says);
      expect(terminal.screen).toContain(`How long to mute Bob (10m, 2h, forever)? ${typed}▏`);
    }
    terminal.type('\u007f'.repeat(9));
    await terminal.shows('forever)? ▏');
    terminal.type('\r');
    await terminal.shows('Write how long: 10m, 2h, "until mon 18:00", or forever.');
    expect(await sanctionsOf('u1')).toEqual([]);
    terminal.type('10m\r');
    await terminal.shows('Reason, shown to Bob');
    terminal.type('shoutink\u007fg\r');
    await terminal.shows('Bob: mute for 10m. u undoes it.');
    await terminal.shows(/Bob +mute for 10m “shouting” by admin@localhost/);
    expect(await sanctionsOf('u1')).toMatchObject([
      { type: 'mute', duration: 600, reason: 'shouting', isActive: true },
    ]);

    terminal.type('u');
    await terminal.shows('Bob: mute revoked.');
    expect(await sanctionsOf('u1')).toMatchObject([{ status: 'revoked' }]);

    terminal.type('n');
    await terminal.shows('Note about Bob');
    terminal.type('was warned by voice\r');
    await terminal.shows('The note about Bob is stored.');
    const { participants } = await daemon.client.call(participantRoutes.list, {
      params: params(),
      query: { search: 'u1' },
    });
    const id = participants[0]?.id ?? '';
    const notes = await daemon.client.call(participantRecordRoutes.notes, { params: { ...params(), id } });
    expect(notes).toMatchObject([{ text: 'was warned by voice' }]);

    terminal.type('k');
    await terminal.shows('Remove Bob from demo?');
    terminal.type('\r');
    await terminal.shows('Bob was removed from demo.');
    await terminal.shows('1 person');
    terminal.type('q');
    expect(await ended).toMatchObject({ code: 0 });
    expect(terminal.isRestored).toBe(true);
  });

  it('gives every key that follows one that asks to the question, also those that come in the same moment', async () => {
    const { terminal, ended } = watch();
    await terminal.shows('> Ann');
    terminal.type('m10m\rqukb m\r');
    await terminal.shows('Ann: mute for 10m. u undoes it.');
    expect(await sanctionsOf('u2')).toMatchObject([{ type: 'mute', duration: 600, reason: 'qukb m' }]);
    terminal.type('b');
    await terminal.shows('How long to ban Ann');
    // Esc with a key soon after it leaves the question, and does nothing else.
    terminal.type('x\u001bu');
    await terminal.shows('Nothing was changed.');
    expect(await sanctionsOf('u2')).toMatchObject([{ type: 'mute', isActive: true }]);
    terminal.type('m');
    await terminal.shows(/How long to mute Ann[^\n]*\nIn force already: mute until/);
    terminal.type('\u001b');
    await terminal.shows('Nothing was changed.');
    terminal.type('u');
    await terminal.shows('Ann: mute revoked.');
    terminal.type('u');
    await terminal.shows('There is nothing to undo.');
    terminal.type('q');
    await ended;
  });

  it('bans for good, keeps a refusal on the screen, and is left by ctrl-c', async () => {
    const { terminal, ended } = watch();
    await terminal.shows('> Ann');
    terminal.type('b');
    await terminal.shows('How long to ban Ann');
    terminal.type('forever\r');
    await terminal.shows('Reason, shown to Ann');
    terminal.type('\r');
    await terminal.shows('Ann: perm_ban until revoked.');
    await terminal.shows('Nobody is here.');
    expect((await sanctionsOf('u2'))[0]).toMatchObject({ type: 'perm_ban', endAt: null });
    terminal.type('m');
    await terminal.shows(/^Nobody is here\.$/m);
    terminal.type(ctrlC);
    expect(await ended).toMatchObject({ code: 130 });
    expect(terminal.isRestored).toBe(true);
  });

  it('goes on when the daemon comes back, and fits whatever the terminal becomes', async () => {
    const { terminal, ended } = watch();
    await terminal.shows('Nobody is here.');
    await daemon.restart();
    await eventually(() => say('I am back.'));
    await terminal.shows('I am back.');
    terminal.resize(40, 10);
    await eventually(() => expect(terminal.screen.split('\n')).toHaveLength(10));
    for (const line of terminal.screen.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
    terminal.type('q');
    await ended;
  });
});

it('rooms kick throws somebody out, and says whom', { timeout: 60_000 }, async () => {
  await visit('u3', 'Zoë');
  const { code, stderr } = await cli.run(['rooms', 'kick', 'demo', 'zoe']);
  expect([code, stderr]).toEqual([0, 'Zoë (u3) was removed from demo.\n']);
  const { peers } = await daemon.client.call(roomRoutes.get, { params: { ...params(), roomId: 'demo' } });
  expect(peers.map(({ externalUserId }) => externalUserId)).not.toContain('u3');
});

describe.skipIf(!hasTerminal)('on a terminal of its own', { timeout: 60_000 }, () => {
  it('a wrong duration keeps the question open, and Esc leaves it', async () => {
    await visit('u4', 'Dan');
    const terminal = onTerminal(`"${process.execPath}" "${program}" rooms watch demo`, environment());
    await terminal.answer('> Dan', 'm');
    await terminal.answer('How long to mute Dan', 'soon\r');
    await terminal.answer('is not a duration', '\u001b');
    await terminal.answer('Nothing was changed.', 'm');
    await terminal.answer('How long to mute Dan', 'soon\r');
    await terminal.answer('is not a duration', '1h\r');
    await terminal.answer('Reason, shown to Dan', '\r');
    await terminal.answer('Dan: mute for 1h.', 'q');
    expect(await terminal.ended).toBe(0);
    expect(await sanctionsOf('u4')).toMatchObject([{ type: 'mute', duration: 3_600 }]);
  });

  it('is given back as it was when the program is ended from outside', async () => {
    const pid = join(folder, 'pid');
    const view = `sh -c 'echo $$ > ${pid}; exec "${process.execPath}" "${program}" rooms watch demo'; stty -a`;
    const terminal = onTerminal(view, environment());
    await terminal.answer('q quit', '');
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGTERM');
    await terminal.ended;
    const [, after = ''] = terminal.shown.split('\u001b[?1049l');
    expect(after).toMatch(/(?<!-)icanon/);
    expect(after).toMatch(/(?<!-)echo /);
    expect(terminal.shown).toContain('\u001b[?25h');
  });
});
