/** On which machine a command acts, as whom and where: a flag wins over the environment, the environment over the profile. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Machine, type TypedPlace } from '../../src/cli/command/machine.js';
import { currentProfile, saveLogin, saveProfile } from '../../src/cli/command/profile.js';

const folder = mkdtempSync(join(tmpdir(), 'earshot-machine-'));
const before = { ...process.env };
const profiles = {
  home: { url: 'http://home', token: 'home-login', projectId: 'home-project' },
  staging: { url: 'http://staging', token: 'staging-login', projectId: 'staging-project' },
  bare: { url: 'http://bare' },
};
beforeAll(() => {
  mkdirSync(join(folder, 'earshot'), { recursive: true });
  store();
});
const store = () =>
  writeFileSync(join(folder, 'earshot', 'profiles.json'), JSON.stringify({ current: 'home', profiles }));
const inEnvironment = (variables: Readonly<Record<string, string>>) => {
  for (const name of Object.keys(process.env)) if (name.startsWith('EARSHOT_')) delete process.env[name];
  Object.assign(process.env, { XDG_CONFIG_HOME: folder }, variables);
};
afterEach(() => inEnvironment({}));
afterAll(() => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, before);
  rmSync(folder, { recursive: true, force: true });
});

const flags: readonly TypedPlace[] = [{}, { url: 'http://flag' }, { profile: 'staging' }, { profile: 'bare' }];
const environments: readonly Readonly<Record<string, string>>[] = [
  {},
  { EARSHOT_URL: 'http://variable' },
  { EARSHOT_PROFILE: 'staging' },
  { EARSHOT_URL: 'http://variable', EARSHOT_PROFILE: 'staging' },
];
/** Address for each pair of a line of flags and of an environment. */
const addresses = [
  ['http://home', 'http://variable', 'http://staging', 'http://variable'],
  ['http://flag', 'http://flag', 'http://flag', 'http://flag'],
  ['http://staging', 'http://staging', 'http://staging', 'http://staging'],
  ['http://bare', 'http://bare', 'http://bare', 'http://bare'],
];
const pairs = flags.flatMap((typed, row) =>
  environments.map((variables, column) => ({ typed, variables, url: addresses[row]?.[column] ?? '' })),
);

describe('the machine', () => {
  it.each(pairs)('with $typed and $variables is $url', ({ typed, variables, url }) => {
    inEnvironment(variables);
    expect(new Machine(typed, false).url).toBe(url);
    const both = { ...typed, url: 'http://both' };
    expect(new Machine(both, false).url).toBe('http://both');
  });

  it.each(pairs)('with $typed and $variables is named unless it is the usual one', ({ typed, variables, url }) => {
    inEnvironment(variables);
    const { unusual } = new Machine(typed, false);
    if (url === 'http://home') expect(unusual).toBeNull();
    else expect(unusual).toContain(`This acts on ${url}`);
  });

  it('gets only the login of its own profile; that of a profile on the line wins over the environment', () => {
    inEnvironment({ EARSHOT_API_KEY: 'key\r\n', EARSHOT_PROJECT: 'variable' });
    expect(new Machine({}, false)).toMatchObject({ credential: { kind: 'apiKey', key: 'key' }, project: 'variable' });
    expect(new Machine({ profile: 'staging' }, false)).toMatchObject({
      credential: { kind: 'bearer', token: 'staging-login' },
      project: 'staging-project',
    });
    expect(new Machine({ profile: 'staging', project: 'flag' }, false).project).toBe('flag');
    inEnvironment({});
    expect(new Machine({ url: 'http://flag' }, false)).toMatchObject({ credential: null, project: undefined });
  });

  it('is refused for a profile that does not exist, unless the command makes it', () => {
    expect(() => new Machine({ profile: 'stagnig' }, false)).toThrow('There is no profile stagnig');
    expect(new Machine({ profile: 'new' }, true).url).toBe('http://127.0.0.1:8080');
  });

  it('of commands that name none is switched neither by a profile that is stored nor by a login', () => {
    saveProfile('staging', { url: 'http://elsewhere' });
    saveLogin('bare', 'http://bare', 'login');
    expect(currentProfile()).toBe('home');
    store();
  });
});
