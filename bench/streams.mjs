// npm run bench -- streams [--streams 1000,5000 --rounds 9]: events from the change to everybody who follows them. The daemon stores
// each event first; beside it, in turns, a bare Node server that writes the same bytes to as many streams, and nchan. Flat out
// twice: by one client that changes 20 things at a time, and by 16 writers that each change one participant at a time.
import { setTimeout as sleep } from 'node:timers/promises';
import { median, quantile, ratio, round } from './statistics.mjs';
import { bareSide, daemonSide, frameOf, nchanSide } from './stream-sides.mjs';
import { showTable } from './tables.mjs';

const deliveriesPerRound = 200_000;
const eventsPerRequest = 20;
const writers = 16;
const latency = { streams: 1_000, perSecond: 10, seconds: 2 };
/** Time in which a server notices that its streams are closed. */
const goneMs = 300;

/** Milliseconds until that many streams are open. */
async function opening(side, size) {
  side.hush();
  await sleep(goneMs);
  const began = performance.now();
  await side.grow(size);
  return performance.now() - began;
}

/** Deliveries per second, from the first change until everybody has heard of the last. */
async function flatOut({ audience, publish }) {
  const events = Math.ceil(deliveriesPerRound / audience.size);
  const began = performance.now();
  const heard = audience.hears(events);
  for (let left = events; left > 0; left -= eventsPerRequest) await publish(Math.min(left, eventsPerRequest));
  await heard;
  return ((events * audience.size) / (performance.now() - began)) * 1_000;
}

/** The same, by writers that have no request in common. Also the processor time of the server for each delivery. */
async function writersFlatOut({ audience, change, usedUs }) {
  const events = Math.ceil(deliveriesPerRound / audience.size);
  const usedBefore = usedUs();
  const began = performance.now();
  const heard = audience.hears(events);
  let left = events;
  const write = async () => {
    while (left-- > 0) await change();
  };
  await Promise.all([heard, ...Array.from({ length: writers }, write)]);
  const deliveries = events * audience.size;
  return {
    rate: (deliveries / (performance.now() - began)) * 1_000,
    cpuUs: (usedUs() - usedBefore) / deliveries,
  };
}

/** p50 and p99 of the milliseconds from the call to each stream, of changes that come one by one. */
async function delays({ audience, publish }) {
  const events = latency.perSecond * latency.seconds;
  const called = [];
  const delayed = [];
  const heard = audience.hears(events, (number) => delayed.push(performance.now() - called[number]));
  for (let event = 0; event < events; event += 1) {
    called.push(performance.now());
    await Promise.all([publish(1), sleep(1_000 / latency.perSecond)]);
  }
  await heard;
  return [quantile(delayed, 0.5), quantile(delayed, 0.99)];
}

async function measure(sides, size, rounds) {
  const found = sides.map(({ what }) => ({
    what,
    opening: [],
    rate: [],
    writersRate: [],
    writersCpuUs: [],
    p50: [],
    p99: [],
    peakMb: [],
    idleMb: 0,
    openMb: 0,
  }));
  const inTurns = async (visit) => {
    for (const [index, side] of sides.entries()) await visit(side, found[index]);
  };
  await inTurns(async (side, of) => {
    of.idleMb = side.memoryMb();
    await side.grow(size);
    of.openMb = side.memoryMb();
    await flatOut(side); // warm-up
    await writersFlatOut(side);
  });
  for (let turn = 0; turn < rounds; turn += 1) {
    await inTurns(async (side, { opening: times }) => times.push(await opening(side, size)));
    await inTurns(async (side, { rate, peakMb }) => {
      side.forgetPeak();
      rate.push(await flatOut(side));
      peakMb.push(side.peakMb());
    });
    await inTurns(async (side, { writersRate, writersCpuUs }) => {
      const { rate, cpuUs } = await writersFlatOut(side);
      writersRate.push(rate);
      writersCpuUs.push(cpuUs);
    });
    if (size !== latency.streams) continue;
    await inTurns(async (side, { p50, p99 }) => {
      const [middle, late] = await delays(side);
      p50.push(middle);
      p99.push(late);
    });
  }
  return found;
}

/** Each figure of a side over that of `bare`, `nchan` or both. */
function row(size, of, bare, nchan) {
  const beside = (name) =>
    [bare, nchan].map((other) => (other && other !== of ? ratio(of[name], other[name]) : '–')).join(', ');
  return {
    streams: size,
    what: of.what,
    'open ms': round(median(of.opening)),
    'over bare, nchan': beside('opening'),
    'deliveries/s': round(median(of.rate)),
    'over bare, nchan ': beside('rate'),
    [`${writers} writers: deliveries/s`]: round(median(of.writersRate)),
    'over bare, nchan  ': beside('writersRate'),
    'CPU µs a delivery': round(median(of.writersCpuUs), 1),
    ...(of.p99.length === 0
      ? {}
      : {
          'p50 ms': round(median(of.p50), 1),
          'p99 ms': round(median(of.p99), 1),
          'p99 over bare, nchan': beside('p99'),
        }),
    'peak MiB flat out': round(Math.max(...of.peakMb)),
    'KiB a stream': round(((of.openMb - of.idleMb) * 1024) / size),
  };
}

/** The best of the rounds over the best of the bare server: other programs on the machine only make one worse. */
export async function bestOverBare(size, rounds) {
  const daemon = await daemonSide(size);
  const bare = await bareSide(await frameOf(daemon));
  const [ofBare, ofDaemon] = await measure([bare, daemon], size, rounds);
  for (const side of [bare, daemon]) await side.stop();
  return {
    opening: Math.min(...ofDaemon.opening) / Math.min(...ofBare.opening),
    rate: Math.max(...ofDaemon.rate) / Math.max(...ofBare.rate),
    writersRate: Math.max(...ofDaemon.writersRate) / Math.max(...ofBare.writersRate),
  };
}

export async function run({ streams, rounds: asked }) {
  const sizes = streams.split(',').map(Number);
  const rounds = Number(asked);
  const daemon = await daemonSide(Math.max(...sizes));
  const frame = await frameOf(daemon);
  const sides = [await bareSide(frame), await nchanSide(frame), daemon].filter((side) => side !== null);
  for (const size of sizes) {
    const found = await measure(sides, size, rounds);
    const [bare, nchan] = ['bare Node', 'nchan'].map((name) => found.find(({ what }) => what === name));
    showTable(found.map((of) => row(size, of, bare, nchan)));
    for (const side of sides) side.hush();
    await sleep(goneMs);
  }
  for (const side of sides) await side.stop();
  console.log(
    `Medians of ${rounds} rounds in turns, with the span of the ratios. A round: the streams opened anew, ${deliveriesPerRound} deliveries by one client and as many by ${writers}, and ${latency.perSecond * latency.seconds} events at ${latency.perSecond} a second, timed from the call that changes something until each stream has it.`,
  );
}
