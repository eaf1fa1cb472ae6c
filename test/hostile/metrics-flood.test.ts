/** Cost to others of readers of /metrics that ask without a pause, after strangers have called every operation. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { scale } from '../support/scale.js';

const connections = 40;
const lastsMs = scale(3_000, 20_000);
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

let daemon: DaemonProcess;
beforeAll(async () => {
  daemon = new DaemonProcess({ EARSHOT_RATE_LIMIT_ADDRESS: '0' }, rentedMachine);
  await daemon.start();
}, 120_000);
afterAll(() => daemon.dispose());

describe('readers of /metrics that ask without a pause', { timeout: 240_000 }, () => {
  it('delay neither health checks nor the writes of others, and get a page that stays small', async () => {
    const { paths } = Document.parse(await (await fetch(`${daemon.url}/api/openapi.json`)).json());
    for (const [path, operations] of Object.entries(paths))
      for (const method of Object.keys(operations))
        await (await fetch(daemon.url + path, { method: method.toUpperCase() })).body?.cancel();
    const statuses = new Map<number, number>();
    let largest = 0;
    const read = async (until: number) => {
      while (performance.now() < until) {
        const answer = await fetch(`${daemon.url}/metrics`);
        const { length } = await answer.text();
        if (answer.status === 200) largest = Math.max(largest, length);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
    };
    const health = await watchingHealth(daemon, `${connections} readers of /metrics`, async () => {
      const until = performance.now() + lastsMs;
      await Promise.all(Array.from({ length: connections }, () => read(until)));
    });
    expect([...statuses.keys()].sort()).toEqual([200, 429]);
    expect(statuses.get(200)).toBeLessThanOrEqual((Math.ceil(lastsMs / 10_000) + 1) * 60);
    expect(largest).toBeLessThan(150_000);
    expect(health.live.answers).toBeGreaterThan(0);
  });
});
