/** The words that a moderator types all day, as scripts run them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

const patienceMs = 120_000;
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
  for (const [externalUserId, displayName] of [
    ['u1', 'Ann'],
    ['u2', 'Ben'],
    ['u3', 'Ben'],
  ] as const)
    await daemon.client.call(participantRoutes.create, {
      params: { projectId: daemon.projectId },
      body: { externalUserId, displayName },
    });
});
afterAll(async () => {
  words.dispose();
  await daemon.stop();
});

const words = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const cli = (args: string[], input = '') => words.run(args, { input });

describe('a moderator names somebody', () => {
  it('by a display name that one person has, with a reason from a template', { timeout: patienceMs }, async () => {
    await cli(['sanctions', 'templates', 'set', 'shouting', 'Please do not shout.']);
    const { code, stdout } = await cli(['mute', 'ann', '10m', '--template', 'shouting', '--json']);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      type: 'mute',
      externalUserId: 'u1',
      duration: 600,
      reason: 'Please do not shout.',
    });
  });

  it('and is asked for the external id where two have the name', { timeout: patienceMs }, async () => {
    const { code, stderr } = await cli(['warn', 'Ben']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/u2[\s\S]*u3/);
  });

  it('who has never been here, which has to be said', { timeout: patienceMs }, async () => {
    const refused = await cli(['mute', 'Stranger', '10m']);
    expect(refused).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('--new') });
    const { code, stdout } = await cli(['mute', 'Stranger', '10m', '--new', '--json']);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, externalUserId: 'Stranger' });
    expect((await cli(['warn', 'Stranger'])).code).toBe(0);
  });

  it('spelt wrongly, and is shown who is near', { timeout: patienceMs }, async () => {
    for (const typed of ['Annn', 'An', 'nAn', 'Anm'])
      expect(await cli(['ban', typed, '2h'])).toMatchObject({ code: 4, stderr: expect.stringContaining('mean Ann?') });
  });

  it('against whom something is in force, and says what becomes of it', { timeout: patienceMs }, async () => {
    const first = JSON.parse((await cli(['ban', 'u3', '2h', '--reason', 'threats', '--json'])).stdout);
    const refused = await cli(['ban', 'u3', '1d']);
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    for (const part of ['temp_ban', 'threats', '--replace', '--also']) expect(refused.stderr).toContain(part);
    const beside = await cli(['ban', 'u3', '1d', '--also', '--json']);
    expect(beside.stderr).toMatch(/Also in force: temp_ban until .*threats[\s\S]*Before: 1 temp_ban; .* by /);
    const { id } = JSON.parse(beside.stdout);
    expect(beside.stderr).toContain(`sanctions undo ${id}`);
    const replaced = await cli(['ban', 'u3', '--replace', '--json']);
    expect(replaced.stderr).toMatch(/Before: 2 temp_ban; .*\(revoked\)/);
    const instead = JSON.parse(replaced.stdout);
    const active = JSON.parse((await cli(['sanctions', 'active', 'u3', '--json'])).stdout);
    expect(active.map((one: { id: string }) => one.id)).toEqual([instead.id]);
    const ended = JSON.parse((await cli(['sanctions', 'get', first.id, '--json'])).stdout);
    expect(ended).toMatchObject({ status: 'revoked', revokeReason: `replaced by ${instead.id}` });
  });

  it('until a time, in one room', { timeout: patienceMs }, async () => {
    const args = ['sessions', 'create', '--title', 'Match', '--room', 'arena', '--no-auto-start', '--json'];
    const { id } = JSON.parse((await cli(args)).stdout);
    const { stdout } = await cli(['mute', 'u2', '--until', 'tomorrow', '--room', 'arena', '--json']);
    const midnight = new Date();
    midnight.setHours(24, 0, 0, 0);
    expect(JSON.parse(stdout)).toMatchObject({ sessionId: id, endAt: midnight.toISOString() });
    expect((await cli(['ban', 'u2', '90'])).stderr).toContain('write 90s, 90m, 90h or 90d');
  });

  it('and reads who, what, until when and why before the id', { timeout: patienceMs }, async () => {
    const fields = (stdout: string) =>
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/ {2,}/));
    const { stdout } = await cli(['warn', 'ann', '--reason', 'noise']);
    expect(fields(stdout)).toEqual([
      ['who', expect.stringMatching(/^Ann \(u\d\)$/)],
      ['type', 'warn'],
      ['endAt', 'until revoked'],
      ['reason', 'noise'],
      ['id', expect.any(String)],
    ]);
    const there = await cli(['mute', 'ann', '10m', '--room', 'arena']);
    expect(fields(there.stdout).slice(0, 3)).toEqual([
      ['who', expect.any(String)],
      ['type', 'mute'],
      ['room', 'arena'],
    ]);
    expect((await cli(['unmute', 'ann'])).stdout).toMatch(/^WHO +TYPE +STATUS +ID\nAnn \(u\d\) +mute +revoked/);
    const warned = stdout.match(/id +(\S+)/)?.[1] ?? '';
    expect(fields((await cli(['sanctions', 'revoke', warned])).stdout)[0]).toEqual([
      'who',
      expect.stringContaining('Ann'),
    ]);
  });

  it('who is in no room, and cannot be kicked but kept out', { timeout: patienceMs }, async () => {
    expect(await cli(['kick', 'u2'])).toMatchObject({ code: 4, stderr: expect.stringContaining('in no room') });
    expect((await cli(['kick', 'u2', '10m'])).stdout).toContain('temp_ban');
  });
});

describe('a batch from standard input', () => {
  const line = '{"type":"mute","externalUserId":"raider","duration":"1h"}\n';

  it('is shown by a dry run and refused with the line that is wrong', { timeout: patienceMs }, async () => {
    const shown = await cli(['sanctions', 'apply', '--file', '-', '--dry-run'], line);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('raider') });
    const refused = await cli(['sanctions', 'apply', '--file', '-'], `${line}{"type":"shout"}\n`);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/2 +type/) });
  });
});
