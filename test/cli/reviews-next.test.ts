/** Reviews by command; `reviews next` on a terminal: the case that has waited longest, decided by single keys. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { VirtualTerminal } from '../support/virtual-terminal.js';

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url }));
const params = () => ({ projectId: daemon.projectId });

beforeAll(async () => {
  daemon = await startDaemon();
  await cli.run(['login', '--email', administrator.email, '--password-stdin'], { input: administrator.password });
  for (const user of ['u1', 'u2', 'u3', 'u4']) await appealed('mute', user);
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});
async function appealed(
  type: 'mute' | 'perm_ban',
  externalUserId: string,
  statement = `statement of ${externalUserId}`,
) {
  const body = { type, externalUserId, reason: `reason of ${externalUserId}` };
  const { id } = await daemon.client.call(sanctionRoutes.create, { params: params(), body });
  await daemon.client.call(reviewRoutes.appeal, { params: { ...params(), id }, body: { statement } });
}
const answered = async (terminal: VirtualTerminal) => {
  await terminal.shows('Answer, for the person: ▏');
  terminal.type('we listened again\r');
};
const reviews = async () => {
  const { reviews: all } = await daemon.admin.call(reviewRoutes.list, { params: params() });
  return Object.fromEntries(
    all.map(({ externalUserId, status, decision, note, claimedByUserId }) => [
      externalUserId,
      [decision ?? status, note ?? null, claimedByUserId !== null],
    ]),
  );
};

describe('reviews next', { timeout: 60_000 }, () => {
  it('keeps the case in sight on 80 × 24, and walks from the oldest on; what was given back does not come again', async () => {
    const terminal = new VirtualTerminal(80, 24);
    const ended = cli.run(['reviews', 'next'], { terminal });
    await terminal.shows(/^u1 +3 more open[\s\S]*statement of u1[\s\S]*\ns (?:uphold|keep)/);
    expect(terminal.screen).toMatch(/about +mute, "reason of u1", active, until revoked\n[\s\S]*before +nothing/);
    expect(terminal.stdin.isRaw).toBe(true);
    terminal.type('xs');
    await terminal.shows('Answer, for the person: ▏');
    terminal.type('\r');
    await terminal.shows('Write why');
    terminal.type('we listened again\r');
    await terminal.shows(
      /^u2 [\s\S]*statement of u2[\s\S]*u1: (?:upheld|the \w+ is kept)\. u undoes it\.\ns (?:uphold|keep)/,
    );
    terminal.type('r');
    await terminal.shows(/^u3 [\s\S]*statement of u3[\s\S]*u2: released/);
    terminal.type('n');
    await terminal.shows(/statement of u3[\s\S]*Note, for moderators: ▏\nReturn confirms/);
    terminal.type('sounds rough\r');
    await terminal.shows(/note +sounds rough[\s\S]*The note is stored\./);
    terminal.type('o');
    await answered(terminal);
    await terminal.shows(/^u4 [\s\S]*statement of u4[\s\S]*u3: (?:overturned|the \w+ is lifted)\. u undoes it\./);
    terminal.type('q');
    expect(await ended).toMatchObject({ code: 0 });
    expect(terminal.isRestored).toBe(true);
    expect(terminal.screen).toBe('u1: upheld\nu3: overturned\nu4: still claimed by you');
    expect(await reviews()).toEqual({
      u1: ['upheld', null, true],
      u2: ['open', null, false],
      u3: ['overturned', 'sounds rough', true],
      u4: ['claimed', null, true],
    });
  });

  it('is left by ctrl-c with the review still claimed', async () => {
    const terminal = new VirtualTerminal(80, 24);
    const ended = cli.run(['reviews', 'next'], { terminal });
    await terminal.shows(/statement of u2[\s\S]*s (?:uphold|keep)/);
    terminal.type('\u0003');
    expect(await ended).toMatchObject({ code: 130 });
    expect(terminal.isRestored).toBe(true);
    expect((await reviews()).u2).toEqual(['claimed', null, true]);
  });

  it('upholds an appeal as manifestly unfounded by f', async () => {
    await appealed('mute', 'u7');
    const terminal = new VirtualTerminal(80, 24);
    const ended = cli.run(['reviews', 'next'], { terminal });
    await terminal.shows(/^u7 [\s\S]*s keep it {2}f unfounded {2}o lift it/);
    terminal.type('f');
    await answered(terminal);
    await terminal.shows(/u7: the mute is kept\. u undoes it\./);
    terminal.type('q');
    await ended;
    const { reviews: all } = await daemon.admin.call(reviewRoutes.list, { params: params() });
    expect(all.filter(({ unfounded }) => unfounded).map(({ externalUserId }) => externalUserId)).toEqual(['u7']);
  });

  it('asks before it lifts a ban, and u takes the last decision back with its effect', async () => {
    await appealed('perm_ban', 'u6');
    const statusOf = async () => (await cli.json<{ status: string }[]>(['sanctions', 'history', 'u6']))[0]?.status;
    const terminal = new VirtualTerminal(80, 24);
    const ended = cli.run(['reviews', 'next'], { terminal });
    await terminal.shows(/^u6 /);
    terminal.type('o');
    await terminal.shows(/statement of u6[\s\S]*Revoke the perm_ban of u6 now\? ▏\n/);
    terminal.type('q\r');
    await terminal.shows('Write y or n.');
    terminal.type('n\r');
    await terminal.shows('Nothing was changed.');
    expect(await statusOf()).toBe('active');
    terminal.type('o');
    await terminal.shows('Revoke the perm_ban');
    terminal.type('\r');
    await answered(terminal);
    await terminal.shows(/No review is open\.[\s\S]*u6: the ban is lifted\. u undoes it\.\nReturn checks again/);
    expect(await statusOf()).toBe('revoked');
    terminal.type('u');
    await terminal.shows(/^u6 [\s\S]*u6: overturned undone\. What it revoked is in force again\./);
    expect(await statusOf()).toBe('active');
    expect((await reviews()).u6).toEqual(['claimed', null, true]);
    terminal.type('u');
    await terminal.shows('There is no decision to undo.');
    terminal.type('s');
    await answered(terminal);
    await terminal.shows('u6: the ban is kept.');
    terminal.type('q');
    await ended;
  });

  it('u gives the case in sight back while the one before is decided anew', async () => {
    await appealed('mute', 'u7');
    await appealed('mute', 'u8');
    const terminal = new VirtualTerminal(80, 24);
    const ended = cli.run(['reviews', 'next'], { terminal });
    await terminal.shows(/^u7 +1 more open/);
    terminal.type('s');
    await answered(terminal);
    await terminal.shows(/^u8 +no other case is open/);
    terminal.type('u');
    await terminal.shows(/^u7 +1 more open[\s\S]*u7: upheld undone\./);
    expect((await reviews()).u8).toEqual(['open', null, false]);
    terminal.type('o');
    await answered(terminal);
    await terminal.shows(/^u8 [\s\S]*u7: the mute is lifted/);
    terminal.type('s');
    await answered(terminal);
    await terminal.shows('No review is open.');
    terminal.type('q');
    await ended;
  });

  it('scrolls a case that is longer than the screen', async () => {
    await appealed('mute', 'u9', `${'many words '.repeat(200)}the end`);
    const terminal = new VirtualTerminal(80, 24);
    const ended = cli.run(['reviews', 'next'], { terminal });
    await terminal.shows(/^u9 .*↓ \d+ more lines/);
    expect(terminal.screen.split('\n')).toHaveLength(24);
    expect(terminal.screen).not.toContain('the end');
    terminal.type('\u001b[B'.repeat(40));
    await terminal.shows(/^u9 [\s\S]*the end[\s\S]*\ns (?:uphold|keep)/);
    terminal.type('s');
    await answered(terminal);
    await terminal.shows('u9: the mute is kept.');
    terminal.type('q');
    await ended;
  });

  it('says what is left open when the only case is released', async () => {
    await appealed('mute', 'u10');
    const terminal = new VirtualTerminal(80, 24);
    const ended = cli.run(['reviews', 'next'], { terminal });
    await terminal.shows(/^u10 +no other case is open/);
    terminal.type('r');
    await terminal.shows('No case to show. 1 review is open that you released or could not claim.');
    expect(terminal.screen).toMatch(/^Reviews\s*\n/);
    terminal.type('q');
    await ended;
  });
});

describe('a review names whom it is about', () => {
  const shown = async (...line: string[]): Promise<string> => {
    const { code, stdout } = await cli.run(line);
    expect(code).toBe(0);
    return stdout;
  };

  it('as every command does: by the name that people know, with the id behind it', async () => {
    const body = { externalUserId: 'u5', displayName: 'Ann' };
    await daemon.client.call(participantRoutes.create, { params: params(), body });
    await daemon.client.call(sanctionRoutes.create, { params: params(), body: { type: 'mute', externalUserId: 'u5' } });
    expect(await shown('sanctions', 'appeal', 'ann', 'I was only singing.')).toMatch(/^who +Ann \(u5\)\n/);
    const list = await shown('reviews', 'list');
    expect(list).toMatch(/^WHO /);
    expect(list).toMatch(/^Ann \(u5\) +appeal/m);
    expect(list).toMatch(/^u1 +appeal/m);
    expect(await shown('reviews', 'get', 'ann')).toMatch(/^who +Ann \(u5\)\n[\s\S]*\nid /);
    for (const move of [['claim'], ['uphold', '--answer', 'You shouted.']]) {
      const [name = '', ...flags] = move;
      expect(await shown('reviews', name, 'ann', ...flags)).toMatch(/^who +Ann \(u5\)\n/);
    }
  });

  it('by the id alone for programs, and for a key that may not read people', async () => {
    expect(await shown('reviews', 'list', '--csv')).toMatch(/^externalUserId,[\s\S]*\nu5,appeal,/);
    const made = await shown('api-keys', 'create', '--name', 'reader', '--scopes', 'plugins:read', '--json');
    const env = { EARSHOT_API_KEY: JSON.parse(made).key };
    expect(await cli.run(['reviews', 'list', '--project', daemon.projectId], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^u5 +appeal/m),
    });
  });
});
