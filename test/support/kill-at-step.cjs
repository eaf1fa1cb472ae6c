/**
 * Preloaded into a program: kills it before its KILL_AT_STEPth call that changes a file or a database of the data folder.
 * Copies, and files that are written, count twice: the second time, half of them is there. The file KILL_STEPS_FILE
 * lists the calls.
 */
const fs = require('node:fs');
const promises = require('node:fs/promises');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const Database = createRequire(join(process.env.KILL_PACKAGE, 'package.json'))('better-sqlite3');
const at = Number(process.env.KILL_AT_STEP ?? 0);
const { appendFileSync, truncateSync, statSync } = fs;
const folder = process.env.EARSHOT_DATA_DIR;
let steps = 0;

/** @param {string} name @param {(() => void) | null} half */
function step(name, half = null) {
  steps += 1;
  if (process.env.KILL_STEPS_FILE) appendFileSync(process.env.KILL_STEPS_FILE, `${name.replaceAll('\n', ' ')}\n`);
  if (steps !== at) return;
  half?.();
  process.kill(process.pid, 'SIGKILL');
}

const isOurs = (path) => typeof path === 'string' && path.startsWith(folder);
const halve = (path) => truncateSync(path, Math.floor(statSync(path).size / 2));

for (const [owner, names] of [
  [fs, ['renameSync', 'rmSync', 'linkSync', 'chmodSync', 'writeFileSync', 'truncateSync']],
  [promises, ['rename', 'rm']],
])
  for (const name of names) {
    const original = owner[name];
    owner[name] = (path, ...rest) => {
      if (isOurs(path)) step(`${name} ${path}`);
      return original(path, ...rest);
    };
  }

const { copyFileSync } = fs;
fs.copyFileSync = (from, to, ...rest) => {
  step(`copyFileSync ${to}`);
  copyFileSync(from, to, ...rest);
  step(`half of ${to}`, () => halve(to));
};

const { open } = promises;
promises.open = async (path, flags, ...rest) => {
  if (isOurs(path) && flags !== 'r') step(`open ${path}`);
  const file = await open(path, flags, ...rest);
  if (!isOurs(path) || flags === 'r') return file;
  const { writeFile } = file;
  file.writeFile = async (text) => {
    step(`half of ${path}`, () => fs.appendFileSync(path, text.slice(0, text.length / 2)));
    return writeFile.call(file, text);
  };
  return file;
};

const changes = /^\s*(insert|update|delete|create|alter|drop|begin|commit|vacuum)/i;
const { prepare, exec, pragma, close } = Database.prototype;
Database.prototype.exec = function (sql) {
  if (isOurs(this.name)) step(`exec ${sql.slice(0, 60)}`);
  return exec.call(this, sql);
};
Database.prototype.pragma = function (text, ...rest) {
  if (isOurs(this.name) && text.startsWith('journal_mode =')) step(`pragma ${text}`);
  return pragma.call(this, text, ...rest);
};
Database.prototype.close = function () {
  if (isOurs(this.name) && !this.readonly && this.open) step(`close ${this.name}`);
  return close.call(this);
};
Database.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  if (!isOurs(this.name) || !changes.test(sql)) return statement;
  const { run } = statement;
  statement.run = (...values) => {
    step(`run ${sql.slice(0, 60)}`);
    const result = run.apply(statement, values);
    if (/^vacuum into/i.test(sql)) step(`half of ${values[0]}`, () => halve(values[0]));
    return result;
  };
  return statement;
};
