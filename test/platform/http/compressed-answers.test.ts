/** Answers to reads are compressed for clients that ask for it, and for nobody else. */
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';

const people = 60;

describe('an answer', () => {
  let daemon: TestDaemon;
  const participants = () => `/api/projects/${daemon.projectId}/participants`;
  const ask = (path: string, accepted: string | undefined, method = 'GET', body?: unknown) =>
    new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
      const { credential } = daemon.client;
      const key = credential?.kind === 'apiKey' ? credential.key : '';
      const headers = {
        'X-API-Key': key,
        ...(accepted === undefined ? {} : { 'Accept-Encoding': accepted }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      };
      const sent = request(daemon.url + path, { method, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => {
          parts.push(part);
          if (String(answer.headers['content-type']).startsWith('text/event-stream')) sent.destroy();
        });
        answer.on('close', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(parts) }),
        );
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });

  beforeAll(async () => {
    daemon = await startDaemon();
    const params = { projectId: daemon.projectId };
    for (let index = 0; index < people; index += 1)
      await daemon.admin.call(participantRoutes.create, {
        params,
        body: { externalUserId: `u_${index}`, displayName: `Person ${index}` },
      });
  });
  afterAll(() => daemon?.stop());

  it('to a read is a fraction of itself for whoever accepts gzip', async () => {
    const plain = await ask(`${participants()}?limit=60`, undefined);
    for (const accepted of ['gzip', 'br, gzip;q=0.5', 'deflate,  GZIP', 'x-gzip']) {
      const { status, headers, bytes } = await ask(`${participants()}?limit=60`, accepted);
      expect([accepted, status, headers['content-encoding']]).toEqual([accepted, 200, 'gzip']);
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(headers.vary).toContain('Accept-Encoding');
      expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
      expect(gunzipSync(bytes).toString()).toBe(plain.bytes.toString());
    }
  });

  it.each([undefined, 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0', 'gzipped'])('is whole for %s', async (accepted) => {
    const { headers, bytes } = await ask(`${participants()}?limit=60`, accepted);
    expect(headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(bytes.toString()).participants).toHaveLength(people);
  });

  it('is sent as it is where it is short, answers a change, or is a stream', async () => {
    const body = { externalUserId: 'u_new', displayName: 'x'.repeat(50) };
    const answers = [
      await ask(`${participants()}?limit=1`, 'gzip'),
      await ask(participants(), 'gzip', 'POST', body),
      await ask(`/api/projects/${daemon.projectId}/events/stream?since=2020-01-01T00:00:00Z`, 'gzip'),
    ];
    expect(answers.map(({ status, headers }) => [status, headers['content-encoding']])).toEqual([
      [200, undefined],
      [201, undefined],
      [200, undefined],
    ]);
  });

  it('is read by the library as any other', async () => {
    const params = { projectId: daemon.projectId };
    const { participants: found } = await daemon.client.call(participantRoutes.list, { params, query: { limit: 50 } });
    expect(found).toHaveLength(50);
  });
});
