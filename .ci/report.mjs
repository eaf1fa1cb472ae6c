/**
 * Reads what reporter.mjs wrote.
 *
 *   report.mjs again REPORT...         the files that failed or were left out, a line each
 *   report.mjs end REPORT...           what failed and why, then the counts; exits with 1 unless everything passed
 *
 * A file that ran again counts as it did then.
 */
import { existsSync, readFileSync } from 'node:fs';

/** A run that broke off has left no report, or an empty one. */
const filesOf = (report) => JSON.parse((existsSync(report) && readFileSync(report, 'utf8')) || '{}');
const indent = (text) => text.replaceAll('\n', '\n    ');
const reasonLines = 12;

const [what, ...rest] = process.argv.slice(2);
if (what === 'again') {
  for (const [key, { failed, skipped }] of rest.flatMap((report) => Object.entries(filesOf(report)))) {
    const path = key.replace(/ on PostgreSQL$/, '');
    if (failed.length + skipped.length > 0 && existsSync(path)) console.log(path);
  }
} else {
  const files = Object.assign({}, ...rest.map(filesOf));
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [path, { passed, failed, skipped }] of Object.entries(files)) {
    counts.passed += passed;
    counts.failed += failed.length;
    counts.skipped += skipped.length;
    for (const name of skipped) console.log(`skipped: ${path}: ${name}`);
    for (const { name, reason } of failed)
      console.log(indent(`failed: ${path}: ${name}\n${reason.split('\n').slice(0, reasonLines).join('\n')}`));
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exit(counts.failed + counts.skipped > 0 || counts.passed === 0 ? 1 : 0);
}
