/** The programs of examples/game-server, each as its users start it. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const examples = here('../../../examples/game-server/');

export interface GameServer {
  readonly language: string;
  readonly source: string;
  readonly command: readonly [string, ...string[]];
}

/** Bundles the one in TypeScript into the folder: Node.js 20 does not run it, and users of a newer one have the package installed. */
export async function gameServersIn(folder: string): Promise<readonly GameServer[]> {
  const typescript = join(folder, 'game-server.mjs');
  const input = join(examples, 'typescript/game-server.ts');
  const checks = { ineffectiveDynamicImport: false };
  await build({ input, platform: 'node', checks, output: { file: typescript, codeSplitting: false } });
  const python = 'python/game_server.py';
  return [
    { language: 'Go', source: 'go/main.go', command: [here('.installed/game-server-go')] },
    { language: 'Python', source: python, command: [here('.installed/venv/bin/python'), join(examples, python)] },
    { language: 'TypeScript', source: 'typescript/game-server.ts', command: [process.execPath, typescript] },
  ];
}
