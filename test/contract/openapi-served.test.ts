/** The OpenAPI document as the daemon serves it: two versions, compressed beforehand, told from each other by their tags. */
import http from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** fetch would unpack the answer. */
function get(query: string, headers: http.OutgoingHttpHeaders = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    http
      .get(`${daemon.url}/api/openapi.json${query}`, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      })
      .on('error', reject);
  });
}

describe('/api/openapi.json', () => {
  it('is the same document in each encoding, and much shorter', async () => {
    const plain = await get('');
    const packed = { gzip: gunzipSync, br: brotliDecompressSync };
    for (const [encoding, unpack] of Object.entries(packed)) {
      const { headers, body } = await get('', { 'Accept-Encoding': `${encoding}, identity;q=0.5` });
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers.vary).toContain('Accept-Encoding');
      expect(unpack(body).equals(plain.body)).toBe(true);
      expect(body.length * 8).toBeLessThan(plain.body.length);
    }
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(plain.body.toString())).toMatchObject({ openapi: '3.1.0' });
  });

  it('is 304 for who has it, by a tag for each version and encoding', async () => {
    const asked: [string, string][] = [
      ['', 'identity'],
      ['', 'gzip'],
      ['', 'br'],
      ['?version=3.0', 'identity'],
      ['?version=3.0', 'br'],
    ];
    const tags = new Set<string>();
    for (const [query, encoding] of asked) {
      const { headers } = await get(query, { 'Accept-Encoding': encoding });
      tags.add(String(headers.etag));
      const again = await get(query, { 'Accept-Encoding': encoding, 'If-None-Match': String(headers.etag) });
      expect([again.status, again.body.length]).toEqual([304, 0]);
    }
    expect(tags.size).toBe(asked.length);
  });

  it('is 3.0.3 on request, and refuses other versions', async () => {
    expect(JSON.parse((await get('?version=3.0')).body.toString())).toMatchObject({ openapi: '3.0.3' });
    expect(JSON.parse((await get('?version=3.1')).body.toString())).toMatchObject({ openapi: '3.1.0' });
    const refused = await get('?version=2.0');
    expect([refused.status, JSON.parse(refused.body.toString())]).toMatchObject([400, { code: 'validation_failed' }]);
  });
});
