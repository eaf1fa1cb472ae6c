/** Every command in README.md, docs and the kits does what the page says, from an empty folder, in the page's order. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../../daemon/platform/config/schema.js';
import { root, shellCommands } from './commands.js';
import { notPlayed, surroundings } from './pages.js';
import { play } from './played.js';

const playMs = 300_000;
const documents = [
  'README.md',
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'kits/csharp/README.md',
  'kits/godot/README.md',
].filter((document) => shellCommands(document).length > 0);

describe.each(documents)('%s', (document) => {
  const reasons = notPlayed.filter((one) => one.document === document);
  const all = shellCommands(document);

  it('has commands that work, one after the other', { timeout: playMs }, async () => {
    const commands = all.filter(
      ({ text, isSetting }) => !isSetting && !reasons.some(({ command }) => text.startsWith(command)),
    );
    const texts = commands.map(({ text }) => text);
    expect(await play(texts, surroundings[document] ?? {})).toEqual([]);
  });

  it('has settings that exist', () => {
    const names = all.flatMap(({ text, isSetting }) => (isSetting ? [text.split('=')[0] ?? ''] : []));
    expect(names.filter((name) => !(name.replace(/_FILE$/, '') in settingsSchema.shape))).toEqual([]);
  });

  it('still has those that cannot be played', () => {
    const gone = reasons.filter(({ command }) => !all.some(({ text }) => text.startsWith(command)));
    expect(gone).toEqual([]);
  });
});
