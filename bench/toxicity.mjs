// npm run bench -- toxicity [--write]: what the plugin finds of lines that others have labelled: those of the crate rustrict, a filter
// for multiplayer games. The classifier alt-profanity-check judges the same lines where bench/install-toxicity-judge.sh has put
// it. --write puts the tables into docs/toxicity.md.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToxicityMatcher } from '#dist/daemon/modules/plugins/catalogue/toxicity/matcher.js';
import { ToxicitySettings, toxicityCategories } from '#dist/daemon/modules/plugins/catalogue/toxicity/settings.js';
import { showTable, writeTable } from './tables.mjs';

const installed = join(import.meta.dirname, '.installed');
const crate = 'rustrict-0.7.36';
const address = `https://static.crates.io/crates/rustrict/${crate}.crate`;
const sha256 = 'd93719b9aa6a53f9beae62fe36f34ed88226be314aea6829031ed0f878ca493d';

const judge = join(installed, 'toxicity-judge/bin/python');
/** At 0.5 and more its authors call a text profane. */
const judging = `
import json, sys
from profanity_check import predict
print(json.dumps(predict(json.load(sys.stdin)).tolist()))
`;

async function archive() {
  const file = join(installed, `${crate}.crate`);
  if (!existsSync(file)) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}.`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  }
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (sum !== sha256) throw new Error(`${file} has the SHA-256 ${sum}, not ${sha256}: remove it.`);
  return file;
}

const linesOf = (file, name) => {
  const { stdout, status } = spawnSync('tar', ['-xzOf', file, `${crate}/src/${name}`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} has no ${name}.`);
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
};

/** What the set's author rates 2 or 3 of 3. */
const rated = (rows, head) => {
  const column = rows[0].split(',').indexOf(head);
  return rows.slice(1).flatMap((row) => (Number(row.split(',')[column]) >= 2 ? [row.split(',')[0]] : []));
};

function partsOf(file) {
  const words = linesOf(file, 'profanity.csv');
  return [
    { part: 'toxic lines and words', toxic: true, lines: linesOf(file, 'test_positive.txt') },
    ...['profane', 'offensive', 'sexual', 'mean'].map((head) => ({
      ...{ part: `its words called ${head}`, toxic: true, lines: rated(words, head) },
    })),
    {
      part: 'harmless lines of chat',
      toxic: false,
      lines: [...linesOf(file, 'test_negative.txt'), ...linesOf(file, 'safe.txt')],
    },
    { part: 'harmless text with a bad word inside', toxic: false, lines: linesOf(file, 'false_positives.txt') },
  ];
}

/** Returns for each line whether the classifier calls it profane; null: it is not installed. */
function judged(lines) {
  if (!existsSync(judge)) return null;
  const { stdout, stderr, status } = spawnSync(judge, ['-c', judging], {
    input: JSON.stringify(lines),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout).map((one) => one === 1);
}

const percent = (part, all) => (all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`);
const share = (flags) => (flags === null ? '–' : percent(flags.filter(Boolean).length, flags.length));

export async function run({ write }) {
  const matcher = new ToxicityMatcher();
  const settings = ToxicitySettings.parse({});
  const parts = partsOf(await archive()).map(({ lines, ...part }) => {
    const found = lines.map((line) => matcher.judge(line, 'text', settings));
    return {
      ...part,
      lines,
      found,
      flags: found.map(({ score }) => score >= settings.threshold),
      judged: judged(lines),
    };
  });
  if (!existsSync(judge)) console.log('bench/install-toxicity-judge.sh installs the classifier beside it.');
  const recall = parts.map(({ part, lines, flags, judged }) => ({
    ...{ part, lines: lines.length, 'toxicity marks': share(flags), 'alt-profanity-check marks': share(judged) },
  }));
  showTable(recall);
  const toxic = parts.find((part) => part.toxic);
  const both = [toxic, parts.find((part) => !part.toxic)];
  const precisionOf = (marksOf) => {
    const [right, wrong] = both.map((part) => marksOf(part).filter(Boolean).length);
    return { marked: right + wrong, 'of these called toxic': percent(right, right + wrong) };
  };
  const precision = [
    ...toxicityCategories.map((category) => ({
      'marked as': category,
      ...precisionOf(({ found }) => found.map(({ categories }) => categories.includes(category))),
    })),
    { 'marked as': 'all of these', ...precisionOf(({ flags }) => flags) },
    ...(toxic.judged === null ? [] : [{ 'marked as': 'alt-profanity-check', ...precisionOf((part) => part.judged) }]),
  ];
  showTable(precision);
  if (!write) return;
  writeTable('docs/toxicity.md', 'toxicity-recall', recall);
  writeTable('docs/toxicity.md', 'toxicity-precision', precision);
}
