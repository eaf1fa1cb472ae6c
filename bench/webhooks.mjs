// npm run bench -- webhooks: deliveries a second, signed, retried and logged, against a bare loop of signed POSTs; and
// what a receiver that hangs costs the eight beside it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { webhookEventRoutes } from '#dist/src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '#dist/src/contract/webhooks/webhooks.js';
import { startDaemon } from './daemon.mjs';
import { openHanging, Receivers } from './receivers.mjs';
import { median, quantile, ratio, round } from './statistics.mjs';
import { showTable } from './tables.mjs';

const receiverCount = 8;
const rounds = 3;
const eventsPerRound = 100;
const paced = { perSecond: 10, seconds: 2 };
const settleMs = 500;

const subscribe = ({ admin, projectId }, url) =>
  admin.call(webhookRoutes.create, {
    params: { projectId },
    body: { url, secret: 'a long enough secret', events: ['sanction.created'] },
  });

/** Deliveries per second of each, taking turns. */
async function rates(daemon, bare, receivers) {
  let body = '';
  receivers.onDelivery = (delivered) => {
    body = delivered;
  };
  const count = eventsPerRound * receiverCount;
  const found = { bare: [], daemon: [] };
  for (let turn = 0; turn <= rounds; turn += 1) {
    const [logged] = await Promise.all([receivers.take(count), daemon.publish(eventsPerRound)]);
    bare.send({ urls: receivers.urls, body, count: eventsPerRound });
    const posted = await receivers.take(count);
    if (turn === 0) continue; // warm-up
    found.daemon.push(logged);
    found.bare.push(posted);
  }
  return found;
}

/** Milliseconds from the event to each of the healthy receivers, of events that come one by one. */
async function delays(daemon, receivers) {
  const events = paced.perSecond * paced.seconds;
  const delayed = [];
  receivers.onDelivery = (body) => delayed.push(Date.now() - Date.parse(JSON.parse(body).timestamp));
  const arrived = receivers.take(events * receiverCount);
  for (let event = 0; event < events; event += 1)
    await Promise.all([daemon.publish(1), sleep(1_000 / paced.perSecond)]);
  await arrived;
  return { p50: quantile(delayed, 0.5), p99: quantile(delayed, 0.99) };
}

async function delaysBesideHanging(daemon, receivers) {
  const hanging = await openHanging();
  const { id } = await subscribe(daemon, hanging.url);
  const found = await delays(daemon, receivers);
  await daemon.admin.call(webhookRoutes.remove, { params: { projectId: daemon.projectId, id } });
  hanging.close();
  await sleep(settleMs);
  return found;
}

const delayRow = (what, list, share) => ({
  what,
  'p50 ms': round(median(list.map(({ p50 }) => p50)), 1),
  'p99 ms': round(median(list.map(({ p99 }) => p99)), 1),
  'ratio of p99': share,
});

export async function run() {
  const daemon = await startDaemon();
  const bare = fork(fileURLToPath(new URL('bare-deliveries.mjs', import.meta.url)));
  const receivers = new Receivers();
  await receivers.open(receiverCount);
  for (const url of receivers.urls) await subscribe(daemon, url);

  const found = await rates(daemon, bare, receivers);
  bare.disconnect();
  await once(bare, 'exit');
  showTable([
    { what: 'bare loop of signed POSTs', 'deliveries/s': round(median(found.bare)), ratio: '1' },
    {
      what: 'daemon, signed and logged',
      'deliveries/s': round(median(found.daemon)),
      ratio: ratio(found.daemon, found.bare),
    },
  ]);
  console.log(`Medians of ${rounds} rounds of ${eventsPerRound} events to ${receiverCount} receivers.`);

  const alone = [];
  const beside = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    alone.push(await delays(daemon, receivers));
    beside.push(await delaysBesideHanging(daemon, receivers));
  }
  const p99s = (list) => list.map(({ p99 }) => p99);
  showTable([
    delayRow('eight receivers', alone, '1'),
    delayRow('the same beside one that hangs', beside, ratio(p99s(beside), p99s(alone))),
  ]);
  const pending = await daemon.admin.call(webhookEventRoutes.list, {
    params: { projectId: daemon.projectId },
    query: { status: 'pending' },
  });
  console.log(
    `From the event's time to its delivery, at ${paced.perSecond} events a second; medians of ${rounds} rounds of ${paced.seconds} s. Still pending in the log: ${pending.length}.`,
  );
  receivers.close();
  await daemon.stop();
}
