/** Settings are shown to operators without any password, wherever it stands. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { loadSettings } from '../../daemon/platform/config/load.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { programEnvironment } from '../support/program-environment.js';

const folder = mkdtempSync(join(tmpdir(), 'earshot-config-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = createRequire(import.meta.url).resolve('../../bin/earshotd.js');
const environment = {
  ...programEnvironment,
  DATABASE_URL: 'postgresql://earshot:hunter2@127.0.0.1:9/db?sslpassword=hunter2',
  EARSHOT_SMTP_URL: 'smtps://mailer:hunter2@127.0.0.1:9',
  EARSHOT_OPENAI_BASE_URL: 'http://name:hunter2@127.0.0.1:9/v1?api_key=hunter2',
  EARSHOT_PUBLIC_URL: 'https://name:hunter2@voice.example',
  EARSHOT_TRANSCRIBER: 'openai',
};
const earshotd = (...args: string[]) => {
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], { env: environment, encoding: 'utf8' });
  return `${stdout}${stderr}`;
};

describe('earshotd', { timeout: 60_000 }, () => {
  it.each(['config print', 'config check', 'doctor', 'migrate'])('%s shows no password', (command) => {
    expect(earshotd(...command.split(' '))).not.toContain('hunter2');
  });

  it('config print shows the rest of an address', () => {
    expect(earshotd('config', 'print')).toContain(
      'DATABASE_URL=postgresql://earshot:***@127.0.0.1:9/db?sslpassword=***',
    );
  });

  it('takes no secret on the command line', () => {
    for (const setting of ['EARSHOT_SMTP_URL=smtp://a:hunter2@b', 'DATABASE_URL=postgresql://a:hunter2@b/c']) {
      const said = earshotd('config', 'check', '--set', setting);
      expect(said).toMatch(/_FILE/);
      expect(said).not.toContain('hunter2');
    }
    expect(earshotd('config', 'print', '--set', 'DATABASE_URL=file:/tmp/a.db')).toContain(
      'DATABASE_URL=file:/tmp/a.db',
    );
  });
});

describe('the address to listen on', () => {
  it.each([
    ['[::1]', '::1'],
    ['::1', '::1'],
    ['[::1]\r', '::1'],
    ['127.0.0.1\r\n', '127.0.0.1'],
  ])('%j is %s', (host, address) => {
    expect(loadSettings({ environment: { EARSHOT_HOST: host } }).settings.EARSHOT_HOST).toBe(address);
  });
});

describe('a secret in a file of its own', () => {
  const fileOf = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const [low, high] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string];
  const name = 'EARSHOT_MASTER_KEY';
  const keyIn = (sources: Parameters<typeof loadSettings>[0]) => loadSettings(sources).settings[name]?.reveal();

  it('counts by the layer that names it, as a plain one does', () => {
    const keyFile = fileOf('key', `${high}\n`);
    const plain = fileOf('plain.env', `${name}=${low}\n`);
    const named = fileOf('named.env', `${name}_FILE=/nowhere\n`);
    expect(keyIn({ environment: { [`${name}_FILE`]: keyFile }, file: plain })).toBe(high);
    expect(keyIn({ environment: { [name]: low }, file: named })).toBe(low);
    expect(keyIn({ flags: { [`${name}_FILE`]: keyFile }, environment: { [name]: low } })).toBe(high);
    expect(keyIn({ environment: {}, file: plain })).toBe(low);
    expect(() => keyIn({ environment: { [name]: low, [`${name}_FILE`]: keyFile } })).toThrow(/in the same place/);
  });
});

describe('a number', () => {
  it.each([' ', '0x10', '1e3', '-1', '8080.5', ' 8080', 'eighty'])('%j is not one', (text) => {
    for (const name of ['EARSHOT_PORT', 'EARSHOT_AUDIT_RETENTION_DAYS', 'EARSHOT_BOTS_PROJECT'])
      expect(() => loadSettings({ environment: { [name]: text } })).toThrow(`${name}: write digits`);
  });

  it('keeps its limits and defaults', () => {
    const read = (text: string) => loadSettings({ environment: { EARSHOT_PORT: text } }).settings.EARSHOT_PORT;
    expect([read('0'), read('9000'), read('')]).toEqual([0, 9000, 8080]);
    expect(() => read('65536')).toThrow(/EARSHOT_PORT/);
    const { settings } = loadSettings({ environment: { EARSHOT_STOP_DELAY_SECONDS: '0.5' } });
    expect(settings.EARSHOT_STOP_DELAY_SECONDS).toBe(0.5);
    expect(earshotd('config', 'defaults')).toMatch(/^EARSHOT_PORT=8080 +# HTTP port/m);
  });
});

describe('a file that is not UTF-8', () => {
  const windows1252 = (line: string) => Buffer.from(line, 'latin1');

  it('is refused with its line: the password in it would be another one', () => {
    const file = join(folder, 'latin.env');
    writeFileSync(file, windows1252('EARSHOT_PORT=9000\nEARSHOT_ADMIN_PASSWORD=schöne Wörter\n'));
    expect(() => loadSettings({ environment: {}, file })).toThrow(/latin\.env:2: a character is not UTF-8/);
    writeFileSync(file, windows1252('schöne Wörter\n'));
    const environment = { EARSHOT_ADMIN_PASSWORD_FILE: file };
    expect(() => loadSettings({ environment })).toThrow(/latin\.env:1: a character is not UTF-8/);
  });

  it('may be UTF-16, or begin with a byte order mark', () => {
    const file = join(folder, 'marked.env');
    for (const encoding of ['utf8', 'utf16le'] as const) {
      writeFileSync(file, '\uFEFFEARSHOT_PORT=9000\nEARSHOT_LOG_LEVEL=warn\n', encoding);
      expect(loadSettings({ environment: {}, file }).settings, encoding).toMatchObject({
        ...{ EARSHOT_PORT: 9000, EARSHOT_LOG_LEVEL: 'warn' },
      });
    }
  });
});

describe('a # in a settings file', () => {
  const passwordIn = (line: string) => {
    const file = join(folder, 'hash.env');
    writeFileSync(file, `# the settings\nEARSHOT_PORT=9000 # of HTTP\n${line}\n`);
    const { settings } = loadSettings({ environment: {}, file });
    expect(settings.EARSHOT_PORT).toBe(9000);
    return settings.EARSHOT_ADMIN_PASSWORD?.reveal();
  };
  it.each([`"horse#battery staple"`, `'horse#battery staple'`, 'horse-battery # mine', '   # nothing'])(
    'in %s cuts nothing',
    (value) => {
      const whole = /horse[^"' ]*( staple)?/.exec(value)?.[0];
      expect(passwordIn(`EARSHOT_ADMIN_PASSWORD=${value}`)).toBe(whole);
    },
  );

  it.each(['horse#battery', 'horse battery#staple', '#horse-battery', ' horse-battery#'])(
    'in %s is refused',
    (value) => {
      expect(() => passwordIn(`EARSHOT_ADMIN_PASSWORD=${value}`)).toThrow(
        /hash\.env, line 3: EARSHOT_ADMIN_PASSWORD has a # in its value\. Put the value in quotes/,
      );
    },
  );

  it.each(['defaults', 'print'])('takes what `config %s` prints', (command) => {
    const file = join(folder, 'defaults.env');
    // Without secrets, which are printed as ***.
    const { stdout } = spawnSync(process.execPath, [program, 'config', command], { env: programEnvironment });
    writeFileSync(file, stdout);
    const { settings } = loadSettings({ environment: {} });
    expect(loadSettings({ environment: {}, file }).settings).toEqual(settings);
    const listed = readFileSync(file, 'utf8');
    expect(Object.keys(settings).filter((name) => !new RegExp(`^#? ?${name}=`, 'm').test(listed))).toEqual([]);
  });
});

describe('earshotd config check', { timeout: 60_000 }, () => {
  const check = (env: Record<string, string>) =>
    spawnSync(process.execPath, [program, 'config', 'check'], {
      env: { ...programEnvironment, ...env },
      encoding: 'utf8',
    }).stdout;

  it('says what makes links lead nowhere, and clients share the address of a proxy', () => {
    const proxied = { EARSHOT_PUBLIC_URL: 'https://voice.example/', EARSHOT_TRUSTED_PROXIES: '127.0.0.1' };
    expect(check(proxied)).toBe('The settings are valid.\n');
    expect(check({ EARSHOT_PUBLIC_URL: 'https://voice.example' })).toMatch(/add it to EARSHOT_TRUSTED_PROXIES/);
    expect(check({ EARSHOT_TRUSTED_PROXIES: '127.0.0.1' })).toMatch(/Set EARSHOT_PUBLIC_URL/);
    expect(check({ EARSHOT_HOST: '0.0.0.0' })).toMatch(/http:\/\/0\.0\.0\.0, which no browser opens/);
    expect(check({ EARSHOT_PUBLIC_URL: 'http://10.0.0.5:8080' })).toMatch(/browsers allow the microphone only on/);
    expect(check({ EARSHOT_PUBLIC_URL: 'http://localhost:8080' })).toBe('The settings are valid.\n');
  });

  it.each([
    ['https://studio.example/earshot?a=b', 'write scheme, host and port, and a path'],
    ['https://studio.example/a/../b', 'write scheme, host and port, and a path'],
    ['https://studio.example/api/', "the path must not begin as one of the daemon's own: api,"],
    ['https://studio.example/rooms/x', "the path must not begin as one of the daemon's own: api,"],
  ])('refuses the public address %s', (address, says) => {
    const { status, stderr } = spawnSync(process.execPath, [program, 'config', 'check'], {
      env: { ...programEnvironment, EARSHOT_PUBLIC_URL: address },
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain(`EARSHOT_PUBLIC_URL: ${says}`);
  });

  it('knows the variables of the command line and the examples, and warns of a name that nobody reads', () => {
    const client = { EARSHOT_API_KEY: 'k', EARSHOT_WEBHOOK_SECRET: 'whsec_aaaa', EARSHOT_PLAYER_TOKEN: 't' };
    expect(check(client)).toBe('The settings are valid.\n');
    expect(check({ EARSHOT_WEBHOOK_SECRETS: 'x' })).toContain('EARSHOT_WEBHOOK_SECRETS is not a setting');
  });
});

describe('a name that resembles a setting', () => {
  it('is refused with the setting, because the daemon would run without what it says', () => {
    const load = (name: string) => () => loadSettings({ environment: { [name]: 'postgresql://db/earshot' } });
    expect(load('EARSHOT_DATABASE_URL')).toThrow(
      'EARSHOT_DATABASE_URL is not a setting. Did you mean DATABASE_URL? Rename it, or unset it.',
    );
    expect(load('EARSHOT_PUBLIC_ULR')).toThrow('Did you mean EARSHOT_PUBLIC_URL');
    expect(load('EARSHOT_COLOUR_OF_THE_RACK')().warnings).toEqual([
      'EARSHOT_COLOUR_OF_THE_RACK is not a setting; `earshotd config defaults` lists them all.',
    ]);
  });
});

describe('earshotd speech install --if-wanted', { timeout: 60_000 }, () => {
  /** An archive that is not there: whoever looks for it fails. */
  const missing = ['--from', '/nowhere/model.tar.bz2', '--sha256', '0'.repeat(64)];
  const install = (args: readonly string[], env: Record<string, string> = {}, from = missing) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [program, 'speech', 'install', '--if-wanted', ...from, ...args],
      { env: { ...programEnvironment, HOME: folder, EARSHOT_DATA_DIR: folder, ...env }, encoding: 'utf8' },
    );
    return { status, said: `${stdout}${stderr}` };
  };
  const file = join(folder, 'settings');

  it.each(['0', 'false', 'no', 'off'])('fetches nothing where EARSHOT_SPEECH_INSTALL is %s', (value) => {
    expect(install([], { EARSHOT_SPEECH_INSTALL: value })).toEqual({ status: 0, said: '' });
  });

  it('refuses a model that there is not, with the nearest', () => {
    const named = { EARSHOT_SPEECH_INSTALL: 'whisper-bas' };
    expect(install([], named, [])).toMatchObject({
      status: 1,
      said: expect.stringContaining('Did you mean whisper-base'),
    });
    expect(
      install(['--set', 'EARSHOT_SPEECH_MIRROR=http://127.0.0.1:9'], { EARSHOT_SPEECH_INSTALL: 'whisper-base' }, []),
    ).toMatchObject({
      ...{ status: 1, said: expect.stringContaining('127.0.0.1:9') },
    });
  });

  it('goes by --set and by the settings file too, and by the recogniser that is set', () => {
    writeFileSync(file, 'EARSHOT_SPEECH_INSTALL=no\n');
    expect(install(['--config', file])).toEqual({ status: 0, said: '' });
    expect(install(['--set', 'EARSHOT_SPEECH_INSTALL=0'])).toEqual({ status: 0, said: '' });
    expect(install(['--set', 'EARSHOT_TRANSCRIBER=off'])).toEqual({ status: 0, said: '' });
  });

  it('installs otherwise', () => {
    expect(install([])).toMatchObject({ status: 1, said: expect.stringContaining('/nowhere/model.tar.bz2') });
  });

  it('asks the npm of this machine for the usual model, by no address of its own', () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync('/usr/bin/env', join(bin, 'env'));
    const asked = join(folder, 'asked');
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho "$@" >> ${asked}\nexit 1\n`, { mode: 0o755 });
    const speech = join(folder, 'none');
    expect(install([], { PATH: bin, EARSHOT_SPEECH_DIR: speech }, []).status).toBe(1);
    const [first = ''] = readFileSync(asked, 'utf8').split('\n');
    expect(first).toMatch(/^view @usefulsensors\/moonshine-js@[\d.]+ dist\.tarball --json$/);
  });
});

describe('a line of the log', () => {
  it('holds no password of an address, and no control characters', () => {
    const lines: string[] = [];
    const log = createLogger(
      'info',
      new Writable({
        decodeStrings: false,
        write: (line, _encoding, done) => {
          lines.push(String(line));
          done();
        },
      }),
    );
    log.info(
      { url: environment.EARSHOT_SMTP_URL, err: new Error(`no way to ${environment.DATABASE_URL}`) },
      'a\u009bb',
    );
    expect(lines.join('')).not.toMatch(/hunter2|\u009b/);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ url: 'smtps://mailer:***@127.0.0.1:9', msg: 'a\u009bb' });
  });
});
