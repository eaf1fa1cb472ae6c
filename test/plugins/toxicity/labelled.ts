/** The labelled lines, and how the matcher does on them. README.md says what the labels mean. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ToxicityMatcher } from '../../../daemon/modules/plugins/catalogue/toxicity/matcher.js';
import { ToxicitySettings } from '../../../daemon/modules/plugins/catalogue/toxicity/settings.js';

const Row = z.tuple(
  [z.enum(['toxic', 'benign', 'lost']), z.enum(['text', 'speech']), z.string(), z.string().min(1)],
  z.string(),
);

export interface LabelledLine {
  readonly label: 'toxic' | 'benign' | 'lost';
  readonly source: 'text' | 'speech';
  readonly line: string;
}

export const labelledLines = (file: 'lines' | 'held-out' | 'unseen'): LabelledLine[] =>
  readFileSync(new URL(`./${file}.tsv`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((row) => {
      const [label, source, , line] = Row.parse(row.split('\t'));
      return { label, source, line };
    });

export function counted(matcher: ToxicityMatcher, lines: readonly LabelledLine[]) {
  const settings = ToxicitySettings.parse({});
  const isFound = ({ line, source }: LabelledLine) => matcher.judge(line, source, settings).score >= settings.threshold;
  const toxic = lines.filter(({ label }) => label === 'toxic');
  const benign = lines.filter(({ label }) => label === 'benign');
  const misses = toxic.filter((one) => !isFound(one)).map(({ line }) => line);
  const falseAlarms = benign.filter(isFound).map(({ line }) => line);
  const hits = toxic.length - misses.length;
  return {
    ...{ toxic: toxic.length, benign: benign.length, misses, falseAlarms },
    precision: hits / (hits + falseAlarms.length),
    recall: hits / toxic.length,
  };
}
