/// <reference types="vite/types/importMeta.d.ts" />
/**
 * Plays every scene, each on a daemon of its own. `npm run verification` plays the long ones too, one after the other,
 * and writes what was printed to docs/verification.md; with `-- -t 'part of a title'` it renews the sections of some.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Scene } from './scene.js';
import { play } from './stage.js';

const writing = process.env.EARSHOT_VERIFICATION === '1';
const document = fileURLToPath(new URL('../../docs/verification.md', import.meta.url));
const patienceMs = writing ? 1_800_000 : 300_000;

const files = import.meta.glob<{ scene: Scene }>('./[0-9]*.ts', { eager: true });
const scenes = Object.entries(files)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([, { scene }]) => scene)
  .filter(({ long = false }) => writing || !long);
const played = new Map<string, string>();

// In the document, a scene's times are its own: nothing else computes meanwhile.
describe('as a user does it', { concurrent: !writing }, () => {
  for (const scene of scenes)
    it(
      scene.title,
      async () => {
        const section = await play(scene);
        expect(section).toContain(scene.title);
        played.set(scene.title, section);
      },
      scene.within ?? patienceMs,
    );
});

/** The document's sections by title: a scene that was not played keeps its own. */
function written(): Map<string, string> {
  const sections = existsSync(document)
    ? readFileSync(document, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  return new Map(sections.map((section) => [/^## (.*)$/m.exec(section)?.[1] ?? '', section.trimEnd()]));
}

afterAll(() => {
  if (!writing) return;
  const head =
    '# Verification\n\nWhat users do, played on a real daemon with the real programs and written down by `npm run verification`.\nTimes, ids and tokens differ from run to run; each ✓ is a check that would have failed.';
  const all = new Map([...written(), ...played]);
  const sections = scenes.flatMap(({ title }) => all.get(title) ?? []);
  writeFileSync(document, `${[head, ...sections].join('\n\n')}\n`);
});
