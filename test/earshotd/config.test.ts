/** What operators are shown of their settings holds no password, wherever it stands. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../daemon/platform/observability/logger.js';

const program = createRequire(import.meta.url).resolve('../../bin/earshotd.js');
const environment = {
  PATH: process.env.PATH ?? '',
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
