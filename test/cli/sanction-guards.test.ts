/** A moderator's command acts in the room that is named, on the batch that is named, or it is refused. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sanction } from '../../src/contract/moderation/sanction-record.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import type { Session } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { writeBeside } from '../support/write-beside.js';

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url }));
beforeAll(async () => {
  daemon = await startDaemon();
  await cli.run(['login', '--email', administrator.email, '--password-stdin'], { input: administrator.password });
  for (const externalUserId of ['u1', 'u2'])
    await daemon.client.call(participantRoutes.create, {
      params: { projectId: daemon.projectId },
      body: { externalUserId },
    });
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

const activeOf = (user: string) => cli.json<Sanction[]>(['sanctions', 'active', user]);
const openSession = (room: string) =>
  cli.json<Session>(['sessions', 'create', '--title', room, '--room', room, '--no-auto-start']);

describe('a sanction in one room', () => {
  it('is refused where no session is active', async () => {
    await openSession('hall');
    await cli.run(['sessions', 'stop', 'hall']);
    for (const command of ['mute', 'ban'])
      expect(await cli.run([command, 'u1', '10m', '--room', 'hall'])).toMatchObject({
        code: 5,
        stdout: '',
        stderr: expect.stringContaining('No session is active in that room; omit --room, or start one.'),
      });
    expect(await activeOf('u1')).toEqual([]);
    const { id } = await openSession('hall');
    expect(await cli.json(['mute', 'u1', '10m', '--room', 'hall'])).toMatchObject({ sessionId: id });
  });

  it('replaces what holds in that room, and nothing that holds everywhere', async () => {
    const { id: sessionId } = await openSession('arena');
    const everywhere = await cli.json<Sanction>(['mute', 'u2', '2h']);
    const there = ['mute', 'u2', '10m', '--room', 'arena'];
    await cli.json<Sanction>([...there, '--replace']);
    const { code, stderr } = await cli.run(there);
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('mute in room arena until') });
    expect(stderr).not.toContain(String(everywhere.endAt));
    const second = await cli.json<Sanction>([...there, '--replace']);
    const active = (await activeOf('u2')).map((one) => `${one.id} in ${one.sessionId}`);
    expect(active.sort()).toEqual([`${everywhere.id} in null`, `${second.id} in ${sessionId}`].sort());
    await cli.run(['unmute', 'u2']);
  });
});

describe('a duration', () => {
  it.each([
    ['2 hours', 7_200],
    ['for 1 day 2 h', 93_600],
  ])('may be the words %s', async (words, seconds) => {
    const imposed = await cli.json<Sanction>(['mute', 'u2', ...words.split(' ')]);
    expect(imposed.duration).toBe(seconds);
    await cli.run(['unmute', 'u2']);
  });

  it('may be the time until which it holds', async () => {
    const imposed = await cli.json<Sanction>(['mute', 'u2', 'until', '2099-01-31', '18:00']);
    expect(imposed.endAt).toBe(new Date(2099, 0, 31, 18).toISOString());
    await cli.run(['unmute', 'u2']);
  });

  it('is refused with its words where it is none, and nobody is sanctioned', async () => {
    expect(await cli.run(['mute', 'u2', 'Marie', '2h'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"Marie 2h" is not a duration'),
    });
    expect(await activeOf('u2')).toEqual([]);
  });
});

describe('a flag that there is not', () => {
  it.each([
    [['sanctions', 'list', '--state', 'active'], 'Did you mean --status?'],
    [['sanctions', 'list', '--moderatr', 'x'], 'Did you mean --moderator?'],
    [['events', 'tail', '--type', 'x'], 'Did you mean --types?'],
    [['login', '--password', 'x'], 'Did you mean --password-stdin?'],
    [['who', 'u1', '--frobnicate'], 'There is no flag --frobnicate here. It takes --json, --items, --url,'],
  ])('%j is answered with the one that is meant', async (words, says) => {
    expect(await cli.run(words)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
  });
});

describe('a ban list of a spreadsheet', () => {
  afterAll(async () => {
    for (const batch of ['sheet', 'some']) await cli.run(['sanctions', 'undo', batch]);
  });
  const apply = (content: string, ...flags: string[]) => {
    const path = join(daemon.dataDir, 'bans.csv');
    writeFileSync(path, content);
    return cli.run(['sanctions', 'import', path, ...flags]);
  };

  it('is issued as it stands', async () => {
    const header = '\uFEFFUser ID;Type;Until;Reason\r\n';
    const lines = 'c1;ban;2099-01-31;"said ""no""; twice"\r\nc2;ban;;\r\n\r\nc3;mute;2099-01-31 18:00;loud';
    expect(await apply(header + lines, '--batch', 'sheet')).toMatchObject({ code: 0, stdout: '' });
    const issued = await cli.json<{ sanctions: Sanction[] }>(['sanctions', 'list', '--batch-id', 'sheet']);
    expect(
      issued.sanctions.map(({ externalUserId, type, endAt, reason }) => [externalUserId, type, endAt, reason]),
    ).toEqual(
      expect.arrayContaining([
        ['c1', 'temp_ban', new Date(2099, 0, 31).toISOString(), 'said "no"; twice'],
        ['c2', 'perm_ban', null, null],
        ['c3', 'mute', new Date(2099, 0, 31, 18).toISOString(), 'loud'],
      ]),
    );
    expect(issued.sanctions).toHaveLength(3);
  });

  it('is what `sanctions list --csv` has written', async () => {
    const { stdout } = await cli.run(['sanctions', 'list', '--batch-id', 'sheet', '--csv']);
    const { code, stderr } = await apply(stdout, '--batch', 'again', '--dry-run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('3 would be issued') });
  });

  it('is refused for what a list says is no longer in force: it would be imposed anew', async () => {
    const list = 'externalUserId,type,status,endAt\ne7,temp_ban,revoked,2099-01-31\ne8,temp_ban,expired,\n';
    const { code, stderr } = await apply(list);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/2 +status +revoked:[\s\S]*3 +status +expired:/),
    });
    expect(await cli.run(['sanctions', 'active', 'e7'])).toMatchObject({ code: 4 });
  });

  it('names each bad line with its number in the file and its field, and leaves it out where that is asked', async () => {
    const list =
      'user,type,duration\n"d\n1",warn,\nd2,bann,2h\nd3,mute,2x\n,mute,2h\nd5,mute,2h,more\nd6,mute,10 minutes\n';
    const { code, stderr } = await apply(list);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Nothing was issued.') });
    for (const [line, field] of [
      [4, 'type'],
      [5, 'duration'],
      [6, 'externalUserId'],
      [7, ''],
    ] as const)
      expect(stderr).toMatch(new RegExp(`^${line} +${field}`, 'm'));
    const skipped = await apply(list, '--skip-bad', '--batch', 'some');
    expect(skipped.stderr).toMatch(/1 issued[\s\S]*1 issued|2 issued/);
  });

  it('with a column that there is not is refused: it may be the one that says until when', async () => {
    expect(await apply('user,type,duraton\ne1,ban,2h\n')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/1 +duraton +no such column; there are type,/),
    });
    expect(await cli.run(['sanctions', 'active', 'e1'])).toMatchObject({ code: 4 });
  });
});

describe('a kick', () => {
  it('without a duration refuses what only a sanction has', async () => {
    for (const flags of [
      ['--reason', 'noise'],
      ['--note', 'again'],
      ['--template', 'noise'],
      ['--replace'],
      ['--also'],
    ])
      expect(await cli.run(['kick', 'u2', ...flags])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`duration.*${flags[0]}\\.`)),
      });
    expect(await activeOf('u2')).toEqual([]);
  });

  it('lasts until a time that is given', async () => {
    const kicked = await cli.json<Sanction>(['kick', 'u2', '--until', 'tomorrow', '--reason', 'noise']);
    const midnight = new Date(new Date().setHours(24, 0, 0, 0)).toISOString();
    expect(kicked).toMatchObject({ type: 'temp_ban', reason: 'noise', endAt: midnight });
  });
});

const line = (externalUserId: string) => JSON.stringify({ type: 'warn', externalUserId });
const apply = (batch: string | null, lines: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const name = batch === null ? [] : ['--batch', batch];
  return cli.run(['sanctions', 'apply', '--file', '-', '--skip-bad', ...name], { input: lines.join('\n'), env });
};

describe('sanctions undo --last', () => {
  it('says which batch it is, and goes on with one that was interrupted', async () => {
    await apply('older', [line('o1')]);
    await apply('newer', [line('n1'), line('n2')]);
    expect(await cli.run(['sanctions', 'undo', '--last'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`batch newer, by ${administrator.email}, \\d+s ago: 2 of its 2 sanctions.*--yes`),
      ),
    });
    // As an undo leaves it that was interrupted after its first step: closed, and in force.
    await writeBeside(daemon.databaseUrl, `UPDATE "SanctionBatch" SET "undoneAt" = "createdAt" WHERE "id" = 'newer'`);
    const undo = ['sanctions', 'undo', '--last', '--yes'];
    expect((await cli.run([...undo, '--json'])).stderr).toContain('batch newer');
    expect(await activeOf('n2')).toEqual([]);
    expect(await cli.json(undo)).toMatchObject({ batchId: 'older', revoked: 1 });
    expect(await cli.run(undo)).toMatchObject({ code: 4, stderr: expect.stringContaining('no batch') });
  });
});

/** Passes on what is sent to the daemon, and hangs up from the second part on that is to be issued, however often it comes. */
async function brokenWay(): Promise<{ readonly url: string; stop(): void }> {
  let parts = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (body.includes('"dryRun":false')) parts += 1;
    if (parts >= 2) return void request.socket.destroy();
    const { method = 'GET', headers, url } = request;
    send(`${daemon.url}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => void server.close() };
}

describe('sanctions apply --skip-bad', () => {
  const corrected = [line('r1'), line('r2'), line('r3')];
  const file = corrected.with(1, '{"type":"shout"}');

  it('needs a name for the batch, under which the corrected file goes on', async () => {
    expect(await apply(null, file)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Nothing was issued. .*--batch/),
    });
    expect(await cli.run(['sanctions', 'active', 'r1'])).toMatchObject({ code: 4 });
    expect(await apply('raid', file)).toMatchObject({ code: 0 });
    expect(await apply('raid', corrected)).toMatchObject({
      stderr: expect.stringContaining('1 issued, 2 unchanged'),
    });
    for (const user of ['r1', 'r2', 'r3']) expect(await activeOf(user)).toHaveLength(1);
  });

  it('says what holds and how to take it back when a later part fails', async () => {
    const way = await brokenWay();
    const torn = await apply('torn', file, { EARSHOT_URL: way.url, EARSHOT_API_KEY: daemon.apiKey });
    way.stop();
    expect(torn.code).toBe(7);
    expect(torn.stderr).toMatch(/Batch torn: 3 lines read, 1 issued[\s\S]*To undo: earshot sanctions undo torn/);
  });
});
