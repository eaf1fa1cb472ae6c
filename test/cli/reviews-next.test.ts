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
  for (const user of ['u1', 'u2', 'u3', 'u4']) {
    const body = { type: 'mute', externalUserId: user, reason: `reason of ${user}` } as const;
    const { id } = await daemon.client.call(sanctionRoutes.create, { params: params(), body });
    await daemon.client.call(reviewRoutes.appeal, {
      params: { ...params(), id },
      body: { statement: `statement of ${user}` },
    });
  }
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});
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
  it('walks from the oldest on; what was given back does not come again', async () => {
    const terminal = new VirtualTerminal(120, 200);
    const ended = cli.run(['reviews', 'next'], { terminal });
    await terminal.shows(/statement of u1[\s\S]*u uphold/);
    expect(terminal.screen).toMatch(/about +mute, "reason of u1", active, until revoked\n[\s\S]*before +nothing/);
    expect(terminal.screen).toMatch(/^u uphold.{1,72}$/m);
    expect(terminal.stdin.isRaw).toBe(true);
    terminal.type('xu');
    await terminal.shows(/upheld[\s\S]*statement of u2[\s\S]*u uphold/);
    terminal.type('r');
    await terminal.shows(/statement of u3[\s\S]*u uphold/);
    terminal.type('o');
    await terminal.shows(/overturned[\s\S]*statement of u4[\s\S]*u uphold/);
    terminal.type('q');
    expect(await ended).toMatchObject({ code: 0 });
    expect(terminal.isRestored).toBe(true);
    expect(await reviews()).toEqual({
      u1: ['upheld', null, true],
      u2: ['open', null, false],
      u3: ['overturned', null, true],
      u4: ['claimed', null, true],
    });
  });

  it('is left by ctrl-c with the review still claimed', async () => {
    const terminal = new VirtualTerminal(120, 200);
    const ended = cli.run(['reviews', 'next'], { terminal });
    await terminal.shows(/statement of u2[\s\S]*u uphold/);
    terminal.type('\u0003');
    expect(await ended).toMatchObject({ code: 130 });
    expect(terminal.isRestored).toBe(true);
    expect((await reviews()).u2).toEqual(['claimed', null, true]);
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
    await shown('mute', 'ann');
    expect(await shown('sanctions', 'appeal', 'ann', 'I was only singing.')).toMatch(/^who +Ann \(u5\)\n/);
    const list = await shown('reviews', 'list');
    expect(list).toMatch(/^WHO /);
    expect(list).toMatch(/^Ann \(u5\) +appeal/m);
    expect(list).toMatch(/^u1 +appeal/m);
    expect(await shown('reviews', 'get', 'ann')).toMatch(/^who +Ann \(u5\)\n[\s\S]*\nid /);
    for (const move of ['claim', 'uphold']) expect(await shown('reviews', move, 'ann')).toMatch(/^who +Ann \(u5\)\n/);
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
