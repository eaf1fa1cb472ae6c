/** A settings file in YAML: made by `config init`, checked with its lines, behind the environment. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadSettings } from '../../daemon/platform/config/load.js';
import { earshotd } from '../support/program.js';

const folder = mkdtempSync(join(tmpdir(), 'earshot-config-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (text: string, name = 'earshot.yaml'): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const settingsOf = (text: string, environment = {}) => loadSettings({ environment, file: fileOf(text) }).settings;

describe('a settings file in YAML', () => {
  it('has numbers, switches, lists and objects as YAML writes them', () => {
    const settings = settingsOf(`
EARSHOT_PORT: 9000 # HTTP
EARSHOT_IDENTITY_TRUST_EMAILS: true
EARSHOT_STOP_DELAY_SECONDS: 0.5
EARSHOT_TRUSTED_PROXIES: [127.0.0.1, 10.0.0.0/8]
EARSHOT_ROLES:
  - http
  - voice
EARSHOT_IDENTITY_ROLES:
  voice-mods: moderator@Studio
EARSHOT_BACKUP_SCHEDULE: 30 4 * * *
EARSHOT_MASTER_KEY: ${'0123'.repeat(16)}
EARSHOT_PUBLIC_URL:
`);
    expect(settings).toMatchObject({
      EARSHOT_PORT: 9000,
      EARSHOT_IDENTITY_TRUST_EMAILS: true,
      EARSHOT_STOP_DELAY_SECONDS: 0.5,
      EARSHOT_TRUSTED_PROXIES: ['127.0.0.1', '10.0.0.0/8'],
      EARSHOT_ROLES: ['http', 'voice'],
      EARSHOT_IDENTITY_ROLES: { 'voice-mods': ['moderator@Studio'] },
      EARSHOT_BACKUP_SCHEDULE: '30 4 * * *',
    });
    expect(settings.EARSHOT_MASTER_KEY?.reveal()).toBe('0123'.repeat(16));
    expect(settings.EARSHOT_PUBLIC_URL).toBeUndefined();
  });

  it('stands behind the environment, and that behind --set', () => {
    const file = fileOf('EARSHOT_PORT: 1\nEARSHOT_MQTT_PORT: 1\nEARSHOT_MEDIA_PORT: 1\n');
    const environment = { EARSHOT_MQTT_PORT: '2', EARSHOT_MEDIA_PORT: '2', EARSHOT_CONFIG: file };
    expect(loadSettings({ environment, flags: { EARSHOT_MEDIA_PORT: '3' } }).settings).toMatchObject({
      EARSHOT_PORT: 1,
      EARSHOT_MQTT_PORT: 2,
      EARSHOT_MEDIA_PORT: 3,
    });
  });

  it.each([
    [
      'a value that is none',
      'EARSHOT_PORT: 9000\n\nEARSHOT_LOG_LEVEL: loud\n',
      /EARSHOT_LOG_LEVEL.*earshot\.yaml, line 3/,
    ],
    ['another form of a number', '# ports\nEARSHOT_PORT: 0x10\n', /EARSHOT_PORT: write digits.*earshot\.yaml, line 2/],
    ['a name that is mistyped', '\nEARSHOT_PROT: 1\n', /earshot\.yaml, line 2: EARSHOT_PROT .*EARSHOT_PORT/],
    ['a name of nothing', 'port: 9000\n', /earshot\.yaml, line 1: port is not a setting/],
    ['a name that stands there twice', 'EARSHOT_PORT: 1\nEARSHOT_PORT: 2\n', /earshot\.yaml, line 2: .*unique/],
    ['what is no YAML', 'EARSHOT_PORT: 1\nEARSHOT_HOST: [::1\n', /earshot\.yaml, line \d: /],
    ['what is no list of settings', '- EARSHOT_PORT\n', /earshot\.yaml, line 1: write a line `NAME: value`/],
  ])('names the line of %s', (_, text, message) => {
    expect(() => settingsOf(text)).toThrow(message);
  });

  it('of NAME=value lines has its lines named, too', () => {
    const file = fileOf('# ports\n\nexport EARSHOT_PORT=many\n', 'settings.env');
    expect(() => loadSettings({ environment: {}, file })).toThrow(/EARSHOT_PORT: write digits.*settings\.env, line 3/);
    const environment = { EARSHOT_PORT: 'more' };
    expect(() => loadSettings({ environment, file })).toThrow(/EARSHOT_PORT: write digits[^(]*$/m);
  });
});

describe('earshotd config init', { timeout: 60_000 }, () => {
  const path = join(folder, 'studio.yaml');

  it('writes every setting as a comment, with a schema that knows them', async () => {
    const made = await earshotd(folder, ['config', 'init', path]);
    expect(made).toMatchObject({ code: 0, stdout: `${path}\n` });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, 'utf8');
    expect(loadSettings({ environment: {}, file: path }).settings).toEqual(loadSettings({ environment: {} }).settings);
    expect((await earshotd(folder, ['config', 'check', '--config', path])).stdout).toBe('The settings are valid.\n');

    const opened = text.replaceAll(/^# ((?:EARSHOT|DATABASE)_\w+:)/gm, '$1');
    const { EARSHOT_PORT: port, ...others } = parse(opened);
    expect(port).toBe(8080);
    expect(Object.keys(others)).toContain('DATABASE_URL');
    expect(settingsOf(opened)).toEqual(loadSettings({ environment: {} }).settings);

    const schema = JSON.parse(readFileSync(join(folder, 'earshot.schema.json'), 'utf8'));
    expect((await earshotd(folder, ['config', 'schema'])).stdout).toBe(
      readFileSync(join(folder, 'earshot.schema.json'), 'utf8'),
    );
    const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
    const isValid = ajv.compile(schema);
    const set = Object.fromEntries(Object.entries(parse(opened)).filter(([, value]) => value !== null));
    expect(isValid(set), JSON.stringify(isValid.errors)).toBe(true);
    expect(isValid({ EARSHOT_ROLES: 'http voice', EARSHOT_SMTP_URL_FILE: '/run/smtp' })).toBe(true);
    for (const wrong of [{ EARSHOT_PORT: 70_000 }, { EARSHOT_LOG_LEVEL: 'loud' }, { EARSHOT_PROT: 1 }])
      expect(isValid(wrong), JSON.stringify(wrong)).toBe(false);
  });

  it('leaves a file that is there as it is', async () => {
    const mine = fileOf('EARSHOT_PORT: 1\n', 'mine.yaml');
    expect(await earshotd(folder, ['config', 'init', mine])).toMatchObject({ code: 1 });
    expect(readFileSync(mine, 'utf8')).toBe('EARSHOT_PORT: 1\n');
  });
});
