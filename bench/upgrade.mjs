// npm run bench -- upgrade [--events 100000,1000000 --write]: how long `earshotd migrate` takes, and how much of the disk, for the data
// folder of an earlier version whose log has so many entries. Beside it, in the same run, a plain copy of the same file by `cp` and `sync`.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { round } from './statistics.mjs';
import { showTable, writeTable } from './tables.mjs';

const program = fileURLToPath(new URL('../bin/earshotd.js', import.meta.url));
const versions = fileURLToPath(new URL('../test/upgrades/versions', import.meta.url));
const document = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
/** The oldest data folder that is kept, and a late one. */
const recorded = ['0029-b64beab9.db.br', '0077-150ee6bd.db.br'];
const looksEveryMs = 50;
const mebibyte = 2 ** 20;

/** Repeats the entries of the log until it has so many. */
function fill(path, count) {
  const database = new BetterSqlite3(path);
  database.pragma('journal_mode = WAL');
  const rows = database.prepare('SELECT * FROM DomainEvent ORDER BY position').all();
  const names = Object.keys(rows[0]);
  const insert = database.prepare(
    `INSERT INTO DomainEvent (${names.map((name) => `"${name}"`).join()}) VALUES (${names.map((name) => `@${name}`).join()})`,
  );
  const last = rows.at(-1).position;
  database.transaction(() => {
    for (let made = 0; made < count - rows.length; made += 1) {
      const id = `ffffffff-${made
        .toString(16)
        .padStart(8, '0')
        .replace(/(....)$/, '-$1')}-8000-000000000000`;
      insert.run({ ...rows[made % rows.length], id, position: last + 1 + made });
    }
  })();
  database.close();
}

const bytesIn = (folder) =>
  readdirSync(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

async function measured(version, count) {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-upgrade-'));
  try {
    const path = join(folder, 'earshot.db');
    writeFileSync(path, brotliDecompressSync(readFileSync(join(versions, version))));
    const ring = join(versions, version.replace('.db.br', '.key-ring.json'));
    copyFileSync(
      statSync(ring, { throwIfNoEntry: false }) ? ring : join(versions, 'key-ring.json'),
      join(folder, 'key-ring.json'),
    );
    fill(path, count);
    const before = bytesIn(folder);

    const copied = performance.now();
    execFileSync('sh', ['-c', 'cp "$1" "$1.plain" && sync "$1.plain"', 'sh', path]);
    const plainMs = performance.now() - copied;
    rmSync(`${path}.plain`);

    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, bytesIn(folder));
    }, looksEveryMs);
    const began = performance.now();
    const child = spawn(process.execPath, [program, 'migrate'], {
      env: { PATH: process.env.PATH, HOME: folder, EARSHOT_DATA_DIR: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [[code], problem] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
    const upgradeMs = performance.now() - began;
    clearInterval(watch);
    if (code !== 0) throw new Error(problem);
    return {
      from: version.split('.')[0],
      events: count,
      'database MiB': round(before / mebibyte),
      'upgrade s': round(upgradeMs / 1_000, 1),
      'MiB/s': round(before / mebibyte / (upgradeMs / 1_000), 1),
      'plain copy s': round(plainMs / 1_000, 1),
      'most on disk, times its size': round(peak / before, 2),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function run({ events, write }) {
  const rows = [];
  for (const version of recorded)
    for (const count of events.split(',').map(Number)) rows.push(await measured(version, count));
  showTable(rows);
  if (write) writeTable(document, 'upgrade', rows);
}
