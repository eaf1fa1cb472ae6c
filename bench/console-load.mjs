// Events of a busy game for the console: counted game events in batches, and a few lines of speech beside them.
import { setTimeout as sleep } from 'node:timers/promises';
import { challengeRoutes } from '#dist/src/contract/gameplay/challenges.js';
import { gameplayRoutes } from '#dist/src/contract/gameplay/gameplay.js';
import { playerRoutes } from '#dist/src/contract/gameplay/players.js';
import { sessionRoutes } from '#dist/src/contract/sessions/sessions.js';

/** Batches a second. Each moves a challenge of every player, and one line is said beside it. */
const batchesPerSecond = 5;
const players = 39;
const eventName = 'earn-points';
export const eventsPerSecond = batchesPerSecond * (players + 1);
const playerName = (index) => `u_${index}`;

/** Makes a challenge that all players have in progress, and returns the function that sends events. */
export async function prepareConsoleLoad({ admin, game, projectId, sessionId }) {
  const body = { name: 'Points', eventName, goal: 1_000_000_000 };
  const { id } = await admin.call(challengeRoutes.create, { params: { projectId }, body });
  for (let index = 0; index < players; index += 1) {
    const params = { projectId, userId: playerName(index), id };
    await admin.call(playerRoutes.unlock, { params });
    await admin.call(playerRoutes.activate, { params });
  }
  const moved = Array.from({ length: players }, (_, index) => ({
    user_id: playerName(index),
    event_name: eventName,
    metadata: { amount: 1 },
  }));
  let lines = 0;
  const sendBatch = async () => {
    const line = `line ${lines++}`;
    const said = { externalUserId: playerName(0), content: line };
    const [{ results }] = await Promise.all([
      game.call(gameplayRoutes.sendEvents, { body: { events: moved } }),
      admin.call(sessionRoutes.say, { params: { projectId, id: sessionId }, body: said }),
    ]);
    const refused = results.find(({ status }) => status !== 200);
    if (refused !== undefined) throw new Error(`A game event was refused: ${refused.message}`);
    return line;
  };
  /** Sends at a steady pace; resolves to the last line and the number of events. Where the daemon is slower, fewer are sent. */
  return async (ms) => {
    const began = performance.now();
    let [sent, last] = [0, ''];
    while (performance.now() - began < ms) {
      const due = Math.floor(((performance.now() - began) / 1_000) * batchesPerSecond);
      for (; sent <= due; sent += 1) last = await sendBatch();
      await sleep(10);
    }
    return {
      last,
      events: sent * (players + 1),
      perSecond: (sent * (players + 1) * 1_000) / (performance.now() - began),
    };
  };
}

/** Counts the events of the stream that the page receives from now on; `received` reads the count. */
export async function countReceived(page) {
  await page.evaluate(`{
    const channel = new BroadcastChannel('earshot-console');
    window.received = 0;
    channel.onmessage = ({ data }) => { if (data.kind === 'stream.event') window.received += 1; };
  }`);
  return () => page.evaluate('window.received');
}

/** Bytes of the page's heap after a collection. */
export async function heapOf(page) {
  const inspector = await page.context().newCDPSession(page);
  for (let turn = 0; turn < 3; turn += 1) await inspector.send('HeapProfiler.collectGarbage');
  const { usedSize } = await inspector.send('Runtime.getHeapUsage');
  await inspector.detach();
  return usedSize;
}

/** Measures from now on; `busyShare` ends it, and resolves to the share of the time that the page's main thread was busy. */
export async function measureMainThread(page) {
  const inspector = await page.context().newCDPSession(page);
  await inspector.send('Performance.enable');
  const read = async () => {
    const { metrics } = await inspector.send('Performance.getMetrics');
    const figure = (wanted) => metrics.find(({ name }) => name === wanted).value;
    return { busy: figure('TaskDuration'), at: figure('Timestamp') };
  };
  const before = await read();
  return async () => {
    const after = await read();
    await inspector.detach();
    return (after.busy - before.busy) / (after.at - before.at);
  };
}
