/** Questions on a terminal: secrets stay hidden, results have stdout for themselves, ctrl-c ends without noise. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';

const program = createRequire(import.meta.url).resolve('../../bin/earshot.js');
const enter = '\r';
const ctrlC = '\u0003';
const folder = mkdtempSync(join(tmpdir(), 'earshot-cli-'));
const printed = join(folder, 'stdout');

describe.skipIf(!hasTerminal)('a question', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon();
  });
  afterAll(async () => {
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  /** Results go into a file, so that the screen shows what was asked and nothing else. */
  const earshot = (args: string, env: Readonly<Record<string, string>> = {}) =>
    onTerminal(`'${process.execPath}' '${program}' ${args} > '${printed}'`, {
      ...{ XDG_CONFIG_HOME: folder, EARSHOT_URL: daemon.url, ...env },
    });

  it('for a password shows none of it', async () => {
    const login = earshot('login');
    await login.answer('E-mail', `${administrator.email}${enter}`);
    await login.answer('Password', `${administrator.password}${enter}`);
    expect(await login.ended).toBe(0);
    expect(login.shown).toContain(`as ${administrator.email}`);
    expect(login.shown).not.toContain(administrator.password);
    expect(readFileSync(printed, 'utf8')).toBe('');
  });

  it('for a new password comes twice, and nothing changes when the two differ', async () => {
    const change = earshot('password');
    await change.answer('Current password', `${administrator.password}${enter}`);
    await change.answer('New password', `another long password${enter}`);
    await change.answer('again', `another long passw0rd${enter}`);
    expect(await change.ended).toBe(2);
    expect(change.shown).toContain('The two entries differ');
    expect(change.shown).not.toMatch(/another|long/);
    expect(await earshot('whoami').ended).toBe(0);
  });

  it('for the secrets of a provider leaves just the result on stdout', async () => {
    const set = earshot('settings set --token-provider livekit --provider-url wss://voice.example', {
      EARSHOT_API_KEY: daemon.apiKey,
    });
    await set.answer('LiveKit API key', `key${enter}`);
    await set.answer('LiveKit API secret', `a secret of thirty-two characters${enter}`);
    expect(await set.ended).toBe(0);
    expect(set.shown).not.toContain('thirty-two');
    const table = readFileSync(printed, 'utf8');
    expect(table).toMatch(/^id +/);
    expect(table).not.toContain('thirty-two');
    const { tokenProviderSettings } = await daemon.client.call(settingsRoutes.get, {
      params: { projectId: daemon.projectId },
    });
    expect(tokenProviderSettings).toMatchObject({ apiKey: 'key', apiSecret: '***' });
  });

  it('for one of several of a name is asked once', async () => {
    for (const externalUserId of ['u3', 'u4'])
      await daemon.client.call(participantRoutes.create, {
        params: { projectId: daemon.projectId },
        body: { externalUserId, displayName: 'Twin' },
      });
    const kick = earshot('kick twin', { EARSHOT_API_KEY: daemon.apiKey });
    await kick.answer('Which person is twin?', enter);
    expect(await kick.ended).toBe(4);
    expect(kick.shown).toContain('u3 is in no room.');
  });

  it('is left by ctrl-c, with the exit code of an interruption and without a word', async () => {
    const login = earshot(`login --email ${administrator.email}`);
    await login.answer('Password', `typed half${ctrlC}`);
    expect(await login.ended).toBe(130);
    expect(login.shown).not.toMatch(/typed half|Error|\bat /);
  });
});
