/// <reference types="vite/types/importMeta.d.ts" />
/**
 * Plays every scene. `npm run verification` plays the long ones too and writes docs/verification.md from what was printed.
 */
import { writeFileSync } from 'node:fs';
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
const sections: string[] = [];

describe('as a user does it', () => {
  it.each(scenes.map((scene) => [scene.title, scene] as const))(
    '%s',
    async (title, scene) => {
      const section = await play(scene);
      expect(section).toContain(title);
      sections.push(section);
    },
    patienceMs,
  );
});

afterAll(() => {
  if (!writing || sections.length !== scenes.length) return;
  const head =
    '# Verification\n\nWhat users do, played on a real daemon with the real programs and written down by `npm run verification`.\nTimes, ids and tokens differ from run to run; each ✓ is a check that would have failed.';
  writeFileSync(document, `${[head, ...sections].join('\n\n')}\n`);
});
