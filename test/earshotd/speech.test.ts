/** A recogniser that is installed while the daemon runs. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { earshotd } from '../support/program.js';
import { speechForTests } from '../support/speech-clips.js';

const speech = await speechForTests();
const patienceMs = 60_000;

it('speech serve is reached by others with a key alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-speech-test-'));
  const { code, stderr } = await earshotd(folder, ['speech', 'serve', '--host', '0.0.0.0']);
  rmSync(folder, { recursive: true });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('set EARSHOT_SPEECH_SERVER_KEY') });
});

describe.skipIf(speech === null)('speech install beside a running daemon', { timeout: patienceMs }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-speech-test-'));
  const speechDir = join(folder, 'shared');
  const programs = join(folder, 'programs'); // a path without the engine that this system may have
  mkdirSync(programs);
  symlinkSync('/bin/sh', join(programs, 'sh'));
  const settings = { PATH: programs, EARSHOT_TRANSCRIBER: 'pocketsphinx', EARSHOT_SPEECH_DIR: speechDir };
  const daemon = new DaemonProcess(settings);
  const install = () => earshotd(daemon.dataDir, ['speech', 'install'], { env: settings });
  beforeAll(() => daemon.start());
  afterAll(async () => {
    await daemon.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('lists models with languages, size, licence, and the share of wrong words where a source is known', async () => {
    const { code, stdout } = await earshotd(daemon.dataDir, ['speech', 'list'], { env: settings });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^moonshine-base +en +73 MB +fast +10\.07 % +MIT$/m);
    expect(stdout).toMatch(/^zipformer-small +en +107 MB +fast +not stated$/m);
    expect(stdout).toMatch(/^zipformer-streaming +en +310 MB +fast, streaming +Apache-2\.0$/m);
    expect(stdout).toMatch(/^whisper-base +about 100 +208 MB +medium +MIT$/m);
    expect(stdout).toContain('README of github.com/usefulsensors/moonshine (2026-11-26)');
    const { stdout: advice } = await earshotd(daemon.dataDir, ['speech', 'recommend', '--language', 'de-AT'], {
      env: settings,
    });
    expect(advice).toContain('to compare: whisper-tiny, kroko-de, parakeet-v3, whisper-base');
    expect(advice).not.toContain('moonshine');
  });

  it('recommends only models that know the language, and refuses one that no model knows, with the nearest', async () => {
    const ask = (language: string) =>
      earshotd(daemon.dataDir, ['speech', 'recommend', '--language', language], {
        env: { ...settings, EARSHOT_SPEECH_DIR: foreign },
      });
    const foreign = join(folder, 'foreign');
    const put = (name: string, metadata: string) => {
      const place = join(foreign, 'models', name);
      mkdirSync(place, { recursive: true });
      for (const file of ['decoder.onnx', 'tokens.txt']) writeFileSync(join(place, file), '');
      writeFileSync(join(place, 'encoder.onnx'), `weights\n\x0fis_multilingual\x12\x01${metadata}`);
    };
    put('own-english', '0');
    put('own-many', '1');
    const german = await ask('de');
    expect(german.stderr).not.toContain('own-english');
    expect(german.stderr).toContain('own-many does not work');
    expect((await ask('en')).stderr).toContain('own-english does not work');
    expect(await ask('germann')).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean de?') });
    expect(await ask('tlh')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No model knows the language tlh'),
    });
  });

  it('reaches the bots that listen already', async () => {
    const { accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(
      accountRoutes.loginCredentials,
      {
        body: administrator,
      },
    );
    const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const projectId = (await client.call(projectRoutes.list, {}))[0]?.id ?? '';
    const body = { title: 'Demo', externalRoomId: 'demo' };
    const { id } = await client.call(sessionRoutes.create, { params: { projectId }, body });
    const cause = async () => (await client.call(sessionRoutes.get, { params: { projectId, id } })).bot.cause;
    await eventually(async () => expect(await cause()).toBe('recogniser_unavailable'), patienceMs);
    cpSync(speech?.speechDir ?? '', speechDir, { recursive: true });
    const { code, stdout } = await install();
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('speech: the running daemon uses pocketsphinx'),
    });
    await eventually(async () => expect(await cause()).not.toBe('recogniser_unavailable'), patienceMs);
    expect(daemon.printed.join('\n')).toContain('speech recogniser is ready');
  });
});
