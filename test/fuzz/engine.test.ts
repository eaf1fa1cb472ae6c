/** The fuzzer finds what it is for. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Chance } from './engine/chance.js';
import { Corpus } from './engine/corpus.js';
import { Coverage } from './engine/coverage.js';
import { Fuzzer } from './engine/fuzzer.js';
import { BrokenInvariant, type FuzzTarget } from './engine/target.js';
import { growthErrorOf } from './engine/trial.js';

const milliseconds = 30_000;

/** A mistake behind four conditions, each of which is found only by somebody who sees that the one before was met. */
const hidden = (input: Buffer): void => {
  if (input[0] !== 0x66) return;
  if (input[1] !== 0x75) return;
  if (input[2] !== 0x7a) return;
  if (input[3] === 0x21) throw new BrokenInvariant('found');
};

const target = (parse: FuzzTarget['parse']): FuzzTarget => ({
  ...{ name: 'planted', maxBytes: 16_384, seeds: ['....'], words: ['x'] },
  parse,
  check: (input) => void parse(input),
});

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('the fuzzer', () => {
  it('finds a mistake behind conditions, step by step', async () => {
    const planted = target(hidden);
    const coverage = new Coverage((url) => url.endsWith('engine.test.ts'));
    const fuzzer = new Fuzzer(planted, coverage, new Chance(7));
    const broken = await fuzzer.run([Buffer.from('....')], milliseconds);
    expect(broken?.error).toMatchObject({ message: 'found' });
    expect(broken?.input.subarray(0, 4).toString()).toBe('fuz!');
    expect(fuzzer.corpus.map((input) => input.toString('latin1'))).toContain('fuz');
    expect(fuzzer.summary).toMatch(
      /^planted: \d+ runs, \d+ inputs kept, \d+ blocks of \d+ functions, \d+ % of their code$/,
    );
  });

  it('notices a parser whose time grows with the square of its input', async () => {
    const square = target(({ length }) => {
      const begun = process.cpuUsage();
      const workedMs = () => Object.values(process.cpuUsage(begun)).reduce((sum, micros) => sum + micros / 1_000, 0);
      while (workedMs() < (length / 1_024) ** 2);
    });
    const broken = await growthErrorOf(square, Buffer.from('ab'), new Chance(1));
    expect(String(broken?.error)).toContain('Time grows faster than the input');
    const linear = target((input) => input.toString('latin1').split('').join());
    expect(await growthErrorOf(linear, Buffer.from('ab'), new Chance(1))).toBeNull();
  });

  it('keeps inputs as files named by their content, and broken ones for good', () => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-fuzz-'));
    folders.push(folder);
    const corpus = new Corpus(folder, target(hidden));
    corpus.add([Buffer.from('one'), Buffer.from('....')]);
    corpus.keepBroken(Buffer.from('bad'));
    corpus.replace([Buffer.from('two')]);
    expect(corpus.read().map(String)).toEqual(['two', 'bad', '....']);
    expect(readdirSync(join(folder, 'planted')).filter((name) => name.startsWith('broken-'))).toHaveLength(1);
  });
});
