/**
 * Writes docs/reliability.md from the last result of each promise. The suites write the results (test/support/reliability.ts),
 * and bin/torture.mjs adds the machine: no figure of the page is typed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './set-up.mjs';

export const resultsFile = join(root, 'test/.cache/reliability.jsonl');

/** What each promise is, which suite tries it, what it counts, and how often a whole run tries it. */
const promises = [
  ['kills', 'A daemon that is killed loses nothing that it acknowledged', 'torture/kills', 'kills', 1_000],
  [
    'webhooks',
    'Events reach each subscription, past the kills, signed and under one id',
    'torture/kills',
    'deliveries',
    1_000_000,
  ],
  ['cuts', 'A client whose stream is cut sees the whole log, in order', 'torture/kills', 'cuts', 10_000],
  [
    'power-cuts',
    'A loss of power between commit and answer, with torn writes, loses nothing that was acknowledged (SQLite)',
    'torture/power-cuts',
    'losses of power',
    100,
  ],
  [
    'failed-syncs',
    'A disk that fails to sync leads to refusals, not to losses (SQLite)',
    'torture/power-cuts',
    'failures',
    20,
  ],
  [
    'requests',
    'Whatever is asked, the answer is one that the contract documents: made-up requests to each operation',
    'contract/generated/generated',
    'requests',
    null,
  ],
  [
    'matrix',
    'An operation lets pass whom it declares, and refuses others with the code that it declares',
    'contract/authorisation/authorisation',
    'pairs',
    null,
  ],
  [
    'addresses',
    'An address that a project sets leads nowhere inside, however it is written',
    'platform/outbound/guard',
    'spellings',
    null,
  ],
  ['signatures', 'A signed event that was changed is refused', 'ingest/ingest-signature', 'changed requests', 10_000],
  ['hostile', 'A hostile client does not keep others from their answers', 'hostile', 'attacks', null],
  [
    'soak',
    'Memory, open files and the write-ahead log stay as they are under mixed load',
    'memory/soak',
    'requests',
    null,
  ],
];

const count = (value) => value.toLocaleString('en');
const row = (cells) => `| ${cells.join(' | ')} |`;
const table = ([headings, ...rows]) => [row(headings), row(headings.map(() => '---')), ...rows.map(row)].join('\n');

const intro = `# Reliability

\`npm run torture\` tries what the documents promise and writes this page: no figure here is typed. It is made for two quiet
cores and some 30 minutes (\`--minutes\`): kills and losses of power end in time, and the page says how many there were.
\`npm run torture -- --seed 7\` makes up other trials, and the same seed makes up the same ones; at which step of a daemon a
kill comes depends on the machine as well. \`--parts kills,soak\` runs some parts and keeps the rows of the others, \`--share 0.1\` has a
tenth of the trials. A part that fails leaves its row as it was, and \`npm run torture\` then ends with an error.
`;

const notes = `## How the power fails

SQLite's writes, truncations and syncs pass a library that stands before libc and writes them down
(\`test/support/power-cut.c\`). After a number of steps that the seed chooses, it kills the daemon: between two writes, before a sync, or
after it and before the answer. The disk is then what was synced, and of what was written since, some writes whole, some in part by
sectors of 512 bytes, some not. Names of files are taken to be on the disk at once. On a disk that says it has synced and has not, the
same suite finds that the last messages are gone: there Earshot cannot promise more than the disk does.
`;

/** Without results, the page stays as it is. */
export function writePage() {
  if (!existsSync(resultsFile)) return;
  const all = readFileSync(resultsFile, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const last = new Map(all.map((one) => [one.promise, one]));
  const machines = [...new Set([...last.values()].map(({ machine: { load, ...machine } }) => JSON.stringify(machine)))];
  const machineOf = ({ machine: { load, ...machine } }) =>
    String.fromCodePoint(65 + machines.indexOf(JSON.stringify(machine)));
  const shown = promises.flatMap(([key, promise, suite, unit, goal]) => {
    const result = last.get(key);
    if (result === undefined) return [];
    const { seed, worst, at, minutes, commit, machine } = result;
    const tried = `${count(result.count)} ${unit}${goal !== null && result.count < goal ? ` of ${count(goal)}` : ''}`;
    const when = `${at.slice(0, 10)}, ${commit}, ${machineOf(result)}, ${minutes.toFixed(1)} min, load ${machine.load.toFixed(1)}`;
    return [[promise, `\`${suite}\``, tried, seed === null ? '–' : String(seed), worst, when]];
  });
  const letters = machines.map((text, index) => {
    const { processors, memoryGib, system, node } = JSON.parse(text);
    return `- ${String.fromCodePoint(65 + index)}: ${processors}, ${memoryGib} GiB, ${system}, Node.js ${node}`;
  });
  const curve = last.get('soak')?.table;
  const attacks = last.get('hostile')?.table;
  writeFileSync(
    join(root, 'docs/reliability.md'),
    [
      intro,
      '## What was tried\n',
      table([['promise', 'suite', 'tried', 'seed', 'worst that was seen', 'run'], ...shown]),
      '\nA run is: its day, the commit, the machine, how long its part took, and how many programs waited for a processor when it began. Where that',
      'is more than the machine has, others worked on it meanwhile, and times are longer than on a quiet one. Machines:\n',
      ...letters,
      '',
      notes,
      ...(curve === undefined ? [] : ['## Under mixed load\n', table(curve), '']),
      ...(attacks === undefined ? [] : ['## What others noticed of each attack\n', table(attacks), '']),
    ].join('\n'),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePage();
