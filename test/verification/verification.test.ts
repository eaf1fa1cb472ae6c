/// <reference types="vite/types/importMeta.d.ts" />
/**
 * Plays every scene, each on a daemon of its own; `npm run verification` plays the long ones too, one after the other. What was
 * typed and printed is written to dist/verification.md.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Scene } from './scene.js';
import { play } from './stage.js';

const isWhole = process.env.EARSHOT_VERIFICATION === '1';
const document = fileURLToPath(new URL('../../dist/verification.md', import.meta.url));
const patienceMs = isWhole ? 1_800_000 : 300_000;

const files = import.meta.glob<{ scene: Scene }>('./[0-9]*.ts', { eager: true });
const scenes = Object.entries(files)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([, { scene }]) => scene)
  .filter(({ long = false }) => isWhole || !long);
const played = new Map<string, string>();

// The times of a scene are its own: nothing else computes meanwhile.
describe('as a user does it', { concurrent: !isWhole }, () => {
  for (const scene of scenes)
    it.skipIf(scene.isPlayable === false)(
      scene.title,
      async () => {
        const section = await play(scene);
        expect(section).toContain(scene.title);
        played.set(scene.title, section);
      },
      scene.within ?? patienceMs,
    );
});

/** Returns how many claims of a section hold; a section is written only when all of them do. */
const checksIn = (section: string): number => section.match(/^.*✓/gm)?.length ?? 0;

afterAll(() => {
  const sections = scenes.flatMap(({ title }) => played.get(title) ?? []);
  const head =
    '# Verification\n\nWhat users do, played on a real daemon with the real programs. Each ✓ is a check that would have failed.';
  writeFileSync(document, `${[head, ...sections].join('\n\n')}\n`);
  const lines = [...played].map(([title, section]) => `${String(checksIn(section)).padStart(4)}  ${title}`);
  console.log(['checks  scene, as written to dist/verification.md', ...lines].join('\n'));
});
