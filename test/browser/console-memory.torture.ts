/** The overview under 200 events a second for five minutes: the page's heap does not grow. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { chromiumPath, type Visitor } from '../support/browser.js';
import { comeAs, settle } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { mebibyte } from '../support/heap.js';

const perSecond = 200;
const warmUpMs = 30_000;
const loadMs = 300_000;
const concurrency = 32;

describe.skipIf(chromiumPath === null)('the overview of the console', { timeout: 600_000 }, () => {
  let daemon: TestDaemon;
  let mo: Visitor;
  beforeAll(async () => {
    daemon = await startDaemon({ settings: { EARSHOT_RATE_LIMIT_CREDENTIAL: '0', EARSHOT_STORAGE_DAY_MB: '0' } });
    [mo] = await comeAs(daemon, 'moderator');
  }, 120_000);
  afterAll(async () => {
    await mo?.go();
    await daemon?.stop();
  });

  const heap = async () => {
    const inspector = await mo.page.context().newCDPSession(mo.page);
    for (let turn = 0; turn < 3; turn += 1) await inspector.send('HeapProfiler.collectGarbage');
    const { usedSize } = await inspector.send('Runtime.getHeapUsage');
    await inspector.detach();
    return usedSize / mebibyte;
  };

  it('keeps its memory, and shows the last event', async () => {
    const { session } = await settle(daemon);
    const params = { projectId: daemon.projectId, id: session.id };
    let said = 0;
    const talk = async (ms: number) => {
      const began = Date.now();
      const pending = new Set<Promise<unknown>>();
      for (const first = said; Date.now() - began < ms; await sleep(20)) {
        const due = first + ((Date.now() - began) / 1_000) * perSecond;
        for (; said < due && pending.size < concurrency; said += 1) {
          const body = { externalUserId: 'u_ana', content: `line ${said}` };
          const one = daemon.admin.call(sessionRoutes.say, { params, body }).finally(() => pending.delete(one));
          pending.add(one);
        }
      }
      await Promise.all(pending);
    };
    await talk(warmUpMs);
    const before = await heap();
    await talk(loadMs);
    await mo.page
      .getByText(`line ${said - 1}`)
      .first()
      .waitFor();
    const after = await heap();
    process.stderr.write(`${said} events; ${before.toFixed(1)} MiB before, ${after.toFixed(1)} MiB after\n`);
    expect(said).toBeGreaterThan(((warmUpMs + loadMs) / 1_000) * perSecond * 0.9);
    expect(after).toBeLessThan(before * 1.2 + 2);
  });
});
