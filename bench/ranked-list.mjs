// The ranked list of the daemon in a process of its own, so that its memory can be told: fills one with as many members as
// it is told, then measures each question when it is asked to.
import { uuidv7 } from 'uuidv7';
import { RankedList } from '#dist/daemon/modules/leaderboards/ranked-list.js';
import { quantile } from './statistics.mjs';

const members = Number(process.argv[2]);
const asked = 10_000;
const updates = 100_000;
const shown = 100;
const neighbours = 5;

const held = () => {
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const pick = (count) => Math.floor(Math.random() * count);
const nameOf = (index) => `player-${index}`;

const before = held();
const list = new RankedList();
for (let index = 0; index < members; index += 1)
  list.set(nameOf(index), { sortKey: -pick(1_000_000), reachedId: uuidv7() });
const bytes = (held() - before) / members;

const questions = {
  rank: (member) => list.rankOf(member),
  top: () => list.page(0, shown),
  around: (member) => list.page(Math.max(0, list.rankOf(member) - 1 - neighbours), 2 * neighbours + 1),
};

function timesOf(question) {
  const times = [];
  for (let turn = 0; turn < asked; turn += 1) {
    const member = nameOf(pick(members));
    const began = performance.now();
    question(member);
    times.push(performance.now() - began);
  }
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

function updatesPerSecond() {
  const keys = Array.from({ length: updates }, () => ({ sortKey: -pick(1_000_000), reachedId: uuidv7() }));
  const began = performance.now();
  for (const key of keys) list.set(nameOf(pick(members)), key);
  return (updates / (performance.now() - began)) * 1_000;
}

process.on('message', (what) => {
  process.send(what === 'updates' ? updatesPerSecond() : timesOf(questions[what]));
});
process.send({ bytes });
