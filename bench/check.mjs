// npm run bench -- --check: a short run that says which ratio is worse by more than a fifth than the one in expected.json. The
// best of three rounds counts, of commands as a ratio: other programs on the machine mostly make one worse.
import { readFileSync } from 'node:fs';
import { measure as measureCommands } from './commands.mjs';
import { bestOverBare, measure as measureEvents } from './events.mjs';
import { round } from './statistics.mjs';
import { bestOverBare as bestOfStreams } from './streams.mjs';

const rounds = 3;
const tolerance = 0.2;
const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8'));

/** Times over those of a bare Node.js: less is better. */
async function commandRatios() {
  const [{ times: bare }, ...commands] = await measureCommands(rounds);
  return commands.map(({ what, times }) => ({
    what,
    best: Math.min(...times.map((time, turn) => time / bare[turn])),
    isWorse: (best, usual) => best > usual * (1 + tolerance),
  }));
}

/** Events a second over those of a bare Express: more is better. */
async function eventRatios() {
  return bestOverBare(await measureEvents(rounds)).map(({ what, best }) => ({
    ...{ what: `events: ${what}`, best },
    isWorse: (measured, usual) => measured < usual * (1 - tolerance),
  }));
}

/** Against those of a bare Node.js server: less is better for the time of opening, more for deliveries a second. */
async function streamRatios() {
  const { opening, rate, writersRate } = await bestOfStreams(1_000, rounds);
  const isLess = (measured, usual) => measured < usual * (1 - tolerance);
  return [
    { what: 'streams: opening 1,000', best: opening, isWorse: (best, usual) => best > usual * (1 + tolerance) },
    { what: 'streams: deliveries, 20 changes a request', best: rate, isWorse: isLess },
    { what: 'streams: deliveries, 16 writers', best: writersRate, isWorse: isLess },
  ];
}

/** Resolves to true if all ratios are as expected. */
export async function check() {
  const measured = [...(await commandRatios()), ...(await eventRatios()), ...(await streamRatios())].map(
    ({ what, best, isWorse }) => ({
      ...{ what, ratio: round(best, 2), expected: expected[what] },
      isGood: expected[what] !== undefined && !isWorse(best, expected[what]),
    }),
  );
  console.table(
    measured.map(({ what, ratio, expected: usual, isGood }) => ({
      ...{ what, ratio, expected: usual ?? 'not stated' },
      verdict: isGood ? 'as expected' : usual === undefined ? 'NOT STATED' : 'WORSE by more than a fifth',
    })),
  );
  return measured.every(({ isGood }) => isGood);
}
