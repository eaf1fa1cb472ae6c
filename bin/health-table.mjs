/** What /health/live answered during each attack of a test run, as a table. Plain JavaScript, no dependencies. */
import { existsSync, readFileSync } from 'node:fs';

/**
 * From a file with one JSON object per line (test/support/health-watch.ts writes it); empty when nothing was attacked.
 */
export function healthTable(file) {
  if (!existsSync(file)) return '';
  const rows = readFileSync(file, 'utf8').trim().split('\n').map(rowOf);
  const cells = [['attack', 'health answers', 'failed', 'median ms', 'worst ms'], ...rows];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const lines = cells.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  '),
  );
  return `\nWhat others noticed of each attack:\n\n${lines.join('\n')}\n\n`;
}

function rowOf(line) {
  const { title, answers, failed, medianMs, worstMs } = JSON.parse(line);
  return [title, String(answers), String(failed), medianMs.toFixed(1), worstMs.toFixed(0)];
}
