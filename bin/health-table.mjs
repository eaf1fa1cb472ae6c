/** Table of the effects of each attack of a test run on other clients. Plain JavaScript, no dependencies. */
import { existsSync, readFileSync } from 'node:fs';

const headings = [
  'attack',
  ...['health answers', 'failed', 'worst ms'],
  ...["neighbour's writes", 'failed', 'p95 ms', 'worst ms'],
  'MiB',
  'starved ms',
];

/**
 * From a file with one JSON object per line (test/support/health-watch.ts writes it); empty when nothing was attacked.
 * `starved`: how long the daemon was ready and had no processor. Where that is much, the machine was busy with others.
 */
export function healthTable(file) {
  if (!existsSync(file)) return '';
  const rows = readFileSync(file, 'utf8').trim().split('\n').map(rowOf);
  const cells = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const lines = cells.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  '),
  );
  return `\nWhat others noticed of each attack:\n\n${lines.join('\n')}\n\n`;
}

function rowOf(line) {
  const { title, live, writes, memoryMib, starvedMs } = JSON.parse(line);
  const counts = ({ answers, failed }) => [String(answers), String(failed)];
  return [
    title,
    ...[...counts(live), live.worstMs.toFixed(0)],
    ...[...counts(writes), writes.p95Ms.toFixed(0), writes.worstMs.toFixed(0)],
    memoryMib.toFixed(0),
    starvedMs.toFixed(0),
  ];
}
