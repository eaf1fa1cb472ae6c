import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { type HostingServer, startHostingApi } from '../support/hosting-api.js';

let daemon: TestDaemon;
let hosting: HostingServer;
const { run, json, dispose } = commandLine(() => ({
  ...{ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey, EARSHOT_PROJECT: daemon.projectId },
}));
beforeAll(async () => {
  hosting = await startHostingApi();
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.1/32' } });
});
afterAll(async () => {
  await daemon.stop();
  await hosting.stop();
  dispose();
});

const functions = async (...args: string[]) => json<Record<string, unknown>>(['functions', ...args]);

describe('earshot functions', () => {
  it('says what is missing, and what to type', async () => {
    expect(await functions('get')).toMatchObject({ status: 'incomplete' });
    const { code, stderr } = await run(['functions', 'activate']);
    expect(code).toBe(5);
    expect(stderr).toContain('functions set');
    expect(stderr).toContain('address');
    const verified = await run(['functions', 'verify']);
    expect({ code: verified.code, said: verified.stdout.includes('is missing') }).toEqual({ code: 1, said: true });
  });

  it('takes secrets from standard input, and shows none', async () => {
    const input = JSON.stringify({
      credentials: { token: hosting.token },
      environment: { KEY: 'hidden value', OLD: 'x' },
    });
    const where = ['--enabled', '--provider', 'http', '--address', hosting.url];
    const { code, stdout } = await run(['functions', 'set', ...where, '--secrets-stdin'], { input });
    expect(code).toBe(0);
    expect(stdout).toContain('KEY');
    expect(stdout).not.toMatch(/hidden value|token-of/);
    expect(await functions('set', '--unset', 'OLD')).toMatchObject({ environment: ['KEY'] });
    const wrong = await run(['functions', 'set', '--secrets-stdin'], { input: '{"token":"x"}' });
    expect(wrong.code).toBe(2);
  });

  it('verifies, chooses, activates and deactivates', async () => {
    expect(await functions('verify')).toEqual({ valid: true, message: 'The credentials belong to Studio North.' });
    expect((await run(['functions', 'resource-packages'])).stdout).toMatch(/small +Small/);
    expect((await run(['functions', 'locations'])).stdout).toMatch(/eu-1 +Frankfurt/);
    await functions('set', '--resource-package-id', 'small', '--location-id', 'eu-1');
    expect(await functions('activate')).toMatchObject({ status: 'active' });
    expect(hosting.running.get(daemon.projectId)).toMatchObject({ environment: { KEY: 'hidden value' } });
    expect(await functions('set', '--no-enabled', '--clear', 'locationId')).toMatchObject({
      ...{ enabled: false, locationId: null, status: 'incomplete' },
    });
    expect(hosting.running.size).toBe(0);
  });
});
