/** A recogniser, as OpenAI's API has them, that says whose marked voice it hears (`marked-voices.ts`). */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readWav } from '../../src/client/voice/wav-file.js';
import { voiceIn } from './marked-voices.js';

export interface VoiceRecogniser {
  /** Of the daemon that uses it. */
  readonly settings: Readonly<Record<string, string>>;
  close(): void;
}

export async function startVoiceRecogniser(): Promise<VoiceRecogniser> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    response.setHeader('content-type', 'application/json');
    if (request.method !== 'POST') return void response.end(JSON.stringify({ data: [] }));
    const { length, at } = readWav(body.subarray(body.indexOf('RIFF')));
    const pcm = Int16Array.from({ length }, (_, index) => Math.round(at(index) * 32_767));
    response.end(JSON.stringify({ text: `voice ${voiceIn(pcm)}` }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    settings: { EARSHOT_TRANSCRIBER: 'openai', EARSHOT_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    close: () => void server.close(),
  };
}
