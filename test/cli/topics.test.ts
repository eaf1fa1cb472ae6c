/** Every topic says in a sentence of its own what it is about; oclif would repeat that of its first command. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const read = (path: string): unknown =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8'));
const { commands } = z
  .object({
    commands: z.record(
      z.string(),
      z.object({ summary: z.string().optional(), description: z.string().optional(), hidden: z.boolean().optional() }),
    ),
  })
  .parse(read('oclif.manifest.json'));
const { oclif } = z
  .object({ oclif: z.object({ topics: z.record(z.string(), z.object({ description: z.string() })) }) })
  .parse(read('package.json'));

const ids = Object.keys(commands);
const topics = [
  ...new Set(ids.flatMap((id) => id.split(':').map((_, index, words) => words.slice(0, index).join(':')))),
]
  .filter((topic) => topic !== '')
  .sort();

describe('topics', () => {
  it.each(topics)('%s', (topic) => {
    const described = oclif.topics[topic]?.description ?? '';
    expect(described.length).toBeGreaterThan(10);
    expect(Object.values(commands).map(({ summary }) => summary)).not.toContain(described);
  });

  it('are all there', () => {
    expect(
      Object.keys(oclif.topics).filter((topic) => !ids.some((id) => id.startsWith(`${topic}:`) || id === topic)),
    ).toEqual([]);
  });

  it('each have their own', () => {
    const all = Object.values(oclif.topics).map(({ description }) => description);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('commands', () => {
  it.each(ids)('%s says what it does', (id) => {
    expect(commands[id]?.summary ?? commands[id]?.description ?? '').not.toBe('');
  });
});
