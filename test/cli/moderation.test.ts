/** The words that a moderator types all day, as scripts run them. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

const program = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));
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
afterAll(() => daemon.stop());

const cli = (args: string[], input = ''): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: daemon.dataDir,
      EARSHOT_URL: daemon.url,
      EARSHOT_API_KEY: daemon.apiKey,
    };
    const child = execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
    child.stdin?.end(input);
  });

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

  it('who has never been here, and is told so', { timeout: patienceMs }, async () => {
    const { code, stdout, stderr } = await cli(['mute', 'Stranger', '10m', '--json']);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, externalUserId: 'Stranger' });
    expect(stderr).toContain('Nobody here is Stranger yet');
  });

  it('who is in no room, and cannot be kicked but kept out', { timeout: patienceMs }, async () => {
    expect(await cli(['kick', 'u2'])).toMatchObject({ code: 2, stderr: expect.stringContaining('in no room') });
    expect((await cli(['kick', 'u2', '10m'])).stdout).toContain('temp_ban');
  });
});

describe('a batch from standard input', () => {
  const line = '{"type":"mute","externalUserId":"raider","duration":"1h"}\n';

  it('is shown by a dry run and refused with the line that is wrong', { timeout: patienceMs }, async () => {
    const shown = await cli(['sanctions', 'apply', '--file', '-', '--dry-run'], line);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('raider') });
    const refused = await cli(['sanctions', 'apply', '--file', '-'], `${line}{"type":"shout"}\n`);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Line 2') });
  });
});
