// npm run bench -- console: the console in headless Chromium against a daemon with 10,000 people: the first paint with nothing in
// the browser's cache, a change of screen with warm data, the frames of a long scroll, and the heap of the overview under events.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { EarshotClient } from '#dist/src/client/earshot-client.js';
import { consoleSessionRoutes } from '#dist/src/contract/identity/console-sessions.js';
import { sessionRoutes } from '#dist/src/contract/sessions/sessions.js';
import { countReceived, eventsPerSecond, heapOf, measureMainThread, prepareConsoleLoad } from './console-load.mjs';
import { openDaemon } from './daemon-here.mjs';
import { median, quantile, round } from './statistics.mjs';
import { showTable } from './tables.mjs';

const rows = 10_000;
const loadMs = 60_000;
const mebibyte = 1024 ** 2;
const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

async function fill({ database, projectId, admin }) {
  const session = await admin.call(sessionRoutes.create, {
    params: { projectId },
    body: { title: 'Bench', externalRoomId: 'bench', autoStart: false },
  });
  const { tenantId } = session;
  const at = new Date();
  for (let first = 0; first < rows; first += 1_000)
    await database.transaction((tx) =>
      tx.participant.createMany({
        data: Array.from({ length: 1_000 }, (_, index) => {
          const externalUserId = `u_${first + index}`;
          const displayName = `Player ${first + index}`;
          const searchKey = `${displayName} ${externalUserId}`.toLowerCase();
          const id = `bench-${String(first + index).padStart(6, '0')}`;
          return {
            ...{ id, tenantId, projectId, externalUserId, displayName, searchKey },
            userData: '{}',
            joinedAt: at,
            updatedAt: at,
          };
        }),
      }),
    );
  return session;
}

/** A page of the console, signed in, in a browser context without a cache. */
async function signedIn(browser, { baseUrl, admin }, path = '') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 } });
  const page = await context.newPage();
  const { code } = await admin.call(consoleSessionRoutes.createCode, {});
  await page.goto(`${baseUrl}/console${path}#code=${code}`);
  await page.locator('.page').first().waitFor();
  return { page, context };
}

/** Bytes and requests on the wire from the address of the console to the numbers of the overview, with nothing in the cache. */
async function signInCost(browser, { baseUrl, admin }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 } });
  const page = await context.newPage();
  const inspector = await context.newCDPSession(page);
  await inspector.send('Network.enable');
  const cost = { bytes: 0, requests: 0 };
  inspector.on('Network.loadingFinished', ({ encodedDataLength }) => {
    cost.bytes += encodedDataLength;
    cost.requests += 1;
  });
  const { code } = await admin.call(consoleSessionRoutes.createCode, {});
  await page.goto(`${baseUrl}/console#code=${code}`);
  await page.getByText('in the last hour').waitFor();
  const found = { ...cost };
  await context.close();
  return found;
}

const firstPaint = (page) =>
  page.evaluate(
    () =>
      new Promise((found) =>
        new PerformanceObserver((list) => found(list.getEntriesByName('first-contentful-paint')[0].startTime)).observe({
          type: 'paint',
          buffered: true,
        }),
      ),
  );

/** Milliseconds from the click on each link of the navigation to the frame that shows its screen. */
const screenChanges = (page) =>
  page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const times = [];
    for (const link of document.querySelectorAll('.side a')) {
      const before = document.querySelector('.page');
      if (link.getAttribute('aria-current') === 'page') continue;
      const began = performance.now();
      link.click();
      while (before.isConnected || document.querySelector('.page') === null) await frame();
      times.push(performance.now() - began);
      await new Promise((done) => setTimeout(done, 300));
    }
    return times;
  });

/** Milliseconds of each frame, and of each task over 50 ms, while the table is scrolled from its begin to its end. */
async function scrollFrames(page) {
  await page.locator('.table-scroller').waitFor();
  return page.evaluate(async (wanted) => {
    const scroller = document.querySelector('.table-scroller');
    const frame = () => new Promise(requestAnimationFrame);
    while (Number(scroller.querySelector('table').getAttribute('aria-rowcount')) <= wanted) {
      scroller.scrollTop = scroller.scrollHeight;
      await frame();
    }
    scroller.scrollTop = 0;
    await new Promise((done) => setTimeout(done, 1_000));
    const tasks = [];
    const longTasks = new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    );
    longTasks.observe({ type: 'longtask' });
    const times = [];
    let last = await frame();
    while (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 1) {
      scroller.scrollTop += 600;
      const now = await frame();
      times.push(now - last);
      last = now;
    }
    await new Promise((done) => setTimeout(done, 100));
    longTasks.disconnect();
    return { times, tasks };
  }, rows);
}

export async function run({ rounds: asked }) {
  if (browserPath === undefined) return console.log('There is no Chromium. On Debian: apt-get install -y chromium');
  const rounds = Number(asked);
  const daemon = await openDaemon(['sessions', 'gameplay'], { EARSHOT_STORAGE_DAY_MB: '0' });
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const session = await fill(daemon);
    const paints = [];
    for (let turn = 0; turn < rounds; turn += 1) {
      const { page, context } = await signedIn(browser, daemon);
      paints.push(await firstPaint(page));
      await context.close();
    }
    const cost = await signInCost(browser, daemon);
    const { page } = await signedIn(browser, daemon);
    await page.waitForTimeout(2_000);
    await screenChanges(page); // everything is loaded once
    const changes = [];
    for (let turn = 0; turn < rounds; turn += 1) changes.push(...(await screenChanges(page)));
    await page.locator('.side a[href$="/people"]').click();
    const [frames, longTasks] = [[], []];
    for (let turn = 0; turn < Math.min(3, rounds); turn += 1) {
      const { times, tasks } = await scrollFrames(page);
      frames.push(...times);
      longTasks.push(...tasks);
    }
    await page.locator('.side a[href$="/overview"]').click();
    const { admin, projectId, key, baseUrl } = daemon;
    const game = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });
    const send = await prepareConsoleLoad({ admin, game, projectId, sessionId: session.id });
    await send(loadMs / 4);
    const before = await heapOf(page);
    const received = await countReceived(page);
    const busyShare = await measureMainThread(page);
    await send(loadMs);
    const busy = await busyShare();
    const perSecond = ((await received()) * 1_000) / loadMs;
    const after = await heapOf(page);
    showTable([
      {
        what: 'first paint, cold: median, slowest (ms)',
        goal: 1_000,
        figure: `${round(median(paints))}, ${round(Math.max(...paints))}`,
      },
      {
        what: 'sign-in to the numbers of the overview, on the wire: KB, requests',
        goal: '250, 12',
        figure: `${round(cost.bytes / 1_000)}, ${cost.requests}`,
      },
      {
        what: 'change of screen, warm: median, p95 (ms)',
        goal: 150,
        figure: `${round(median(changes))}, ${round(quantile(changes, 0.95))}`,
      },
      {
        what: `frames of a scroll over ${rows} rows: median, p99, longest (ms)`,
        goal: 50,
        figure: `${round(median(frames))}, ${round(quantile(frames, 0.99))}, ${round(Math.max(...frames))}`,
      },
      {
        what: 'tasks over 50 ms in these: number, longest (ms)',
        goal: 0,
        figure: `${longTasks.length}, ${round(Math.max(0, ...longTasks))}`,
      },
      {
        what: `events that the overview received in ${loadMs / 1_000} s (a second); main thread busy (%)`,
        goal: eventsPerSecond,
        figure: `${round(perSecond)}, ${round(busy * 100)}`,
      },
      {
        what: 'heap of the overview before and after these (MiB)',
        goal: 'no growth',
        figure: `${round(before / mebibyte, 1)}, ${round(after / mebibyte, 1)}`,
      },
    ]);
  } finally {
    await browser.close();
    await daemon.stop();
  }
}
