/** Which recogniser `auto` takes, of those that are there: the order in docs/operating.md. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selectTranscriber } from '../../../daemon/modules/sessions/recognisers/select.js';
import { moonshineForTests } from '../../support/moonshine.js';
import { speechForTests } from '../../support/speech-clips.js';

const moonshine = await moonshineForTests('moonshine-tiny');
const pocketsphinx = await speechForTests();

/** Answers what the daemon asks a service before it uses it: which models it has. */
const service = createServer((_, response) => {
  response.setHeader('Content-Type', 'application/json').end('{"object":"list","data":[]}');
});
const nothingListens = 'http://127.0.0.1:9/v1';
let running: string;
beforeAll(async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening');
  running = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
});
afterAll(() => service.close());

describe.skipIf(moonshine === null || pocketsphinx === null)('`auto`', () => {
  if (moonshine === null || pocketsphinx === null) return;
  const both = [moonshine.speechDir, pocketsphinx.speechDir];
  const chosen = async (speechDirs: readonly string[], baseUrl: string | null): Promise<string | undefined> => {
    const openai = { baseUrl, apiKey: null, model: 'whisper-1' };
    const { transcriber } = await selectTranscriber({ choice: 'auto', speechDirs, openai, sherpaModelDir: null });
    return transcriber?.name;
  };

  it('takes a service that is set and answers, before an installed model and pocketsphinx', async () => {
    expect(await chosen(both, running)).toBe('openai');
  });

  it.each([
    ['no service is set', null],
    ['the service that is set does not answer', nothingListens],
  ])('takes an installed model before pocketsphinx where %s', async (_, baseUrl) => {
    expect(await chosen(both, baseUrl)).toBe('sherpa');
  });

  it('takes pocketsphinx where there is nothing else that works', async () => {
    expect(await chosen([pocketsphinx.speechDir], null)).toBe('pocketsphinx');
    expect(await chosen([pocketsphinx.speechDir], nothingListens)).toBe('pocketsphinx');
  });
});
