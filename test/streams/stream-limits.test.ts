import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startHub, type TestHub } from '../support/stream-hub.js';

let streams: TestHub;
beforeAll(async () => {
  const reach = async () => ({ tenantId: 't', projects: new Set<string>(), tenantBut: new Set<string>(), audit: true });
  streams = await startHub({ reach, perCredential: 2, perDaemon: 3 });
});
afterAll(() => streams.stop());
const open = (credential: string) => streams.open(credential);

describe('places for streams', () => {
  it('are so many for a credential (429) and for a daemon (503), also when they are asked for at once', async () => {
    const own = await Promise.all(['a', 'a', 'a', 'a'].map(open));
    expect(own.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
    const others = await Promise.all(['b', 'c'].map(open));
    expect(others.map(({ status }) => status).sort()).toEqual([200, 503]);
    for (const stream of [...own, ...others]) stream.close();
    await eventually(async () => {
      const again = await open('a');
      again.close();
      expect(again.status).toBe(200);
    });
  });

  it('take nobody once the daemon is stopping, which each stream is told', async () => {
    const stream = await eventually(async () => {
      const one = await open('d');
      expect(one.status).toBe(200);
      return one;
    });
    streams.hub.stop();
    expect(await stream.next()).toMatchObject({ event: 'stream.closed', data: { reason: 'shutting_down' } });
    await stream.ended;
    expect((await open('e')).status).toBe(503);
  });
});
