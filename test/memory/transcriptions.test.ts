/** Segments of speech that a transcription service has answered leave nothing in memory. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OpenAiTranscriber } from '../../daemon/modules/sessions/recognisers/openai.js';
import { RecognitionQueue } from '../../daemon/modules/sessions/recognisers/recognition-queue.js';
import { heapAfterCollection } from '../support/collect.js';
import { mebibyte } from '../support/heap.js';
import { scale } from '../support/scale.js';

const transcriptions = scale(800, 2_000);
/** After so many of them nothing new is compiled or cached. */
const warmUp = 200;
/** A listener left behind by each would take 1.9 KB. */
const grownMax = scale(0.75, 1) * mebibyte;
const speakers = 10;
const samples = 16_000;

let service: Server;
beforeAll(async () => {
  service = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text: 'push the lane' }));
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});

it(`the heap is as it was, after ${transcriptions} transcriptions`, { timeout: 600_000 }, async () => {
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
  const transcriber = new OpenAiTranscriber({ baseUrl, apiKey: 'secret', model: 'whisper-1', requestsMax: 4 });
  const queue = new RecognitionQueue(transcriber);
  const pcm = new Int16Array(samples);
  const segment = (speaker: number) => ({ tenantId: 't', sessionId: 's', speaker: `speaker-${speaker}`, pcm });
  let first = 0;
  for (let done = speakers; done <= transcriptions; done += speakers) {
    const outcomes = await Promise.all(
      Array.from({ length: speakers }, (_, speaker) => queue.submit(segment(speaker))),
    );
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['recognised']));
    if (done === warmUp) first = await heapAfterCollection();
  }
  const grown = (await heapAfterCollection()) - first;
  await transcriber.stop();
  expect(grown).toBeLessThan(grownMax);
});
