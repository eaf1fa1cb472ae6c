// npm run bench [-- NAME … --streams 1000,5000 --rounds 9 --picture FILE]: measures the daemon, each time beside a bare program that does no more than it must. The
// two take turns in one run, and the ratio is what counts: a busy machine slows both. `-- --check` is short, and compares with what is expected.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { drawShown } from './tables.mjs';

const benches = [
  'commands',
  'console',
  'programs',
  'idle',
  'disk',
  'events',
  'appends',
  'gatherings',
  'several',
  'streams',
  'reconnects',
  'webhooks',
  'leaderboards',
  'boards',
  'board-memory',
  'rebuild',
  'upgrade',
  'search',
  'plugins',
  'toxicity',
  'voice',
  'loss',
  'speech',
  'second-model',
  'estimates',
  'activity',
  'rooms',
];

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1)); // ends what was started

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    streams: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '9' },
    events: { type: 'string', default: '250000,1000000' },
    messages: { type: 'string', default: '1000000' },
    folder: { type: 'string' },
    draws: { type: 'string' },
    clips: { type: 'string' },
    language: { type: 'string' },
    conditions: { type: 'boolean', default: false },
    crowd: { type: 'boolean', default: false },
    denoiser: { type: 'string' },
    picture: { type: 'string' },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
if (values.check) {
  const { check } = await import('./check.mjs');
  process.exit((await check()) ? 0 : 1);
}
const unknown = asked.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}; there are: ${benches.join(', ')}.`);
  process.exit(2);
}
if (values.picture !== undefined && asked.length !== 1) {
  console.error('--picture is the file of one bench: name that one.');
  process.exit(2);
}
for (const name of asked.length > 0 ? asked : benches) {
  console.log(`\n${name}`);
  const { run } = await import(`./${name}.mjs`);
  await run(values);
  const picture = values.picture ?? join(tmpdir(), `earshot-bench-${name}.svg`);
  for (const file of drawShown(picture, name)) console.log(`The picture is in ${file}.`);
}
