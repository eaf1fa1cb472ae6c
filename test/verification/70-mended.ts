import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { type Fault, faults } from './mended-faults.js';
import type { Scene } from './scene.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const suiteMs = 20 * 60_000;
const outputBytesMax = 64 * 1024 * 1024;
/** Figures that a suite printed, of which the table repeats so many. */
const figuresMax = 3;

const Report = z.object({ numPassedTests: z.int(), numFailedTests: z.int(), numFailedTestSuites: z.int() });
const Health = z.object({ title: z.string(), answers: z.int(), medianMs: z.number(), worstMs: z.number() });

const isHostile = ({ suites }: Fault): boolean => suites.some((suite) => suite.startsWith('test/hostile/'));

/** Returns the command as somebody types it. */
const commandOf = (fault: Fault): string => {
  const named = fault.named === undefined ? '' : ` -t "${fault.named}"`;
  return `npm ${isHostile(fault) ? 'run torture' : 'test'} -- ${fault.suites.join(' ')}${named}`;
};

/** Runs the suites as the command does, but for set-up and build; resolves to what was printed. */
function run(fault: Fault, report: string, health: string): Promise<string> {
  const named = fault.named === undefined ? [] : ['-t', fault.named];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    NO_COLOR: '1',
    EARSHOT_HEALTH_FILE: health,
    ...(isHostile(fault) ? { EARSHOT_TORTURE: '1' } : {}),
  };
  const options = { cwd: root, env, timeout: suiteMs, maxBuffer: outputBytesMax };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [vitest, 'run', '--no-file-parallelism', ...fault.suites, ...named, ...reporters],
      options,
      (_, stdout) => resolve(stripVTControlCharacters(stdout)),
    );
  });
}

const linesOf = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];

/** Returns the lines that the tests themselves printed: blocks that begin with `stdout | file > test`. */
function figuresIn(printed: string): string[] {
  const blocks = [...printed.matchAll(/^stdout \| .*\n((?:.+\n)+)/gm)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.trim().split('\n'))
    .filter((line) => /\d/.test(line) && !line.includes(': health answered '))
    .slice(0, figuresMax);
}

/** Returns the results of the suites, in a cell of a table. */
function saidBy(reportFile: string, healthFile: string, printed: string): { passed: boolean; said: string } {
  if (!existsSync(reportFile)) return { passed: false, said: 'The suites did not run.' };
  const report = Report.parse(JSON.parse(readFileSync(reportFile, 'utf8')));
  const health = linesOf(healthFile).map((line) => Health.parse(JSON.parse(line)));
  const worst = Math.max(...health.map(({ worstMs }) => worstMs));
  const answers = health.reduce((sum, one) => sum + one.answers, 0);
  const sentences = [
    `${report.numPassedTests} tests passed${report.numFailedTests === 0 ? '' : `, ${report.numFailedTests} failed`}.`,
    ...(health.length === 0
      ? []
      : [`Health answered ${answers} times during ${health.length} attacks, at worst after ${worst.toFixed(0)} ms.`]),
    ...figuresIn(printed).map((line) => `${line.replaceAll('|', '\\|').trim()}.`.replace(/\.\.$/, '.')),
  ];
  const { numPassedTests, numFailedTests, numFailedTestSuites } = report;
  return { passed: numPassedTests > 0 && numFailedTests + numFailedTestSuites === 0, said: sentences.join(' ') };
}

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const scene: Scene = {
  title: 'What was mended',
  long: true,
  within: faults.length * suiteMs,
  async play(stage) {
    stage.tell(
      'Each fault that was found, what shows it, and what that says now. `npm run torture` plays at full scale, where health must answer within a second during every attack.',
    );
    const rows = [row('No.', 'What was wrong', 'What shows it', 'What it says now'), row('--', '--', '--', '--')];
    const failed: string[] = [];
    for (const fault of faults) {
      const report = join(stage.folder, `${fault.number}.json`);
      const health = join(stage.folder, `${fault.number}.jsonl`);
      const printed = await run(fault, report, health);
      const { passed, said } = saidBy(report, health, printed);
      rows.push(row(String(fault.number), fault.wrong, `\`${commandOf(fault)}\``, said));
      if (!passed) failed.push(`${fault.number}: ${said}\n${printed.slice(-4_000)}`);
    }
    stage.tell(rows.join('\n'));
    stage.check(failed.length === 0 ? 'all of it holds' : failed.join('\n\n'), failed.length === 0);
  },
};
