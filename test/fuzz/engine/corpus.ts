/** The kept inputs of a target, a file each, named by their content. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FuzzTarget } from './target.js';

/** Longer inputs are not kept, so that the corpus stays small. */
export const keptBytesMax = 4_096;

/** Inputs that broke an invariant once. They stay, whatever code they reach. */
const brokenPrefix = 'broken-';

export class Corpus {
  private readonly folder: string;

  constructor(
    corpora: string,
    private readonly target: FuzzTarget,
  ) {
    this.folder = join(corpora, target.name);
  }

  /** The seeds of the target and the files, shortest first. */
  read(): Buffer[] {
    const files = this.files().map((name) => readFileSync(join(this.folder, name)));
    return [...this.target.seeds.map((seed) => Buffer.from(seed)), ...files].sort((a, b) => a.length - b.length);
  }

  /** Keeps these inputs, unless they are seeds. */
  add(inputs: readonly Buffer[]): void {
    const seeds = new Set(this.target.seeds.map((seed) => nameOf(Buffer.from(seed))));
    for (const input of inputs) if (!seeds.has(nameOf(input))) this.write(nameOf(input), input);
  }

  /** Keeps these inputs in place of the files there were. */
  replace(inputs: readonly Buffer[]): void {
    const kept = new Set(inputs.map(nameOf));
    for (const name of this.files())
      if (!name.startsWith(brokenPrefix) && !kept.has(name)) rmSync(join(this.folder, name));
    this.add(inputs);
  }

  /** Returns the path of the file. */
  keepBroken = (input: Buffer): string => this.write(`${brokenPrefix}${nameOf(input)}`, input);

  private files(): string[] {
    return existsSync(this.folder) ? readdirSync(this.folder).sort() : [];
  }

  private write(name: string, input: Buffer): string {
    mkdirSync(this.folder, { recursive: true });
    const path = join(this.folder, name);
    if (!existsSync(path)) writeFileSync(path, input);
    return path;
  }
}

const nameOf = (input: Buffer): string => createHash('sha256').update(input).digest('hex').slice(0, 12);
