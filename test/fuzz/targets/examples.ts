/** The files of `examples`, which are also seeds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string): string => readFileSync(join('examples', name), 'utf8');

export const season = [read('season.yaml')];
export const rule = [read('rule.yaml')];
