/** The overview under 200 events a second for five minutes: all of them arrive, and the page's heap does not grow. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  countReceived,
  eventsPerSecond,
  heapOf,
  measureMainThread,
  prepareConsoleLoad,
} from '../../bench/console-load.mjs';
import { chromiumPath, type Visitor } from '../support/browser.js';
import { comeAs, settle } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { mebibyte } from '../support/heap.js';

const warmUpMs = 30_000;
const loadMs = 300_000;

describe.skipIf(chromiumPath === null)('the overview of the console', { timeout: 600_000 }, () => {
  let daemon: TestDaemon;
  let mo: Visitor;
  beforeAll(async () => {
    daemon = await startDaemon({
      settings: {
        EARSHOT_RATE_LIMIT_CREDENTIAL: '0',
        EARSHOT_RATE_LIMIT_GAME_EVENTS: '0',
        EARSHOT_STORAGE_DAY_MB: '0',
      },
    });
    [mo] = await comeAs(daemon, 'moderator');
  }, 120_000);
  afterAll(async () => {
    await mo?.go();
    await daemon?.stop();
  });

  it('receives every event, keeps its memory, and shows the last one', async () => {
    const { admin, client: game, projectId } = daemon;
    const { session } = await settle(daemon);
    const send = await prepareConsoleLoad({ admin, game, projectId, sessionId: session.id });
    await send(warmUpMs);
    const before = (await heapOf(mo.page)) / mebibyte;
    const busyShare = await measureMainThread(mo.page);
    const received = await countReceived(mo.page);
    const { last, events, perSecond } = await send(loadMs);
    const busy = await busyShare();
    await mo.page.getByText(last, { exact: true }).first().waitFor();
    await eventually(async () => expect(await received()).toBeGreaterThanOrEqual(events));
    const after = (await heapOf(mo.page)) / mebibyte;
    process.stderr.write(
      `${await received()} events, ${perSecond.toFixed(0)} a second; ${before.toFixed(1)} MiB before, ` +
        `${after.toFixed(1)} MiB after; main thread busy ${(busy * 100).toFixed(0)} %\n`,
    );
    expect(perSecond).toBeGreaterThan(eventsPerSecond * 0.95);
    expect(after).toBeLessThan(before * 1.2 + 2);
  });
});
