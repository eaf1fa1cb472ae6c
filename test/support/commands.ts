/// <reference types="vite/types/importMeta.d.ts" />
/** The commands of the CLI, from their sources: files of their own and rows. */
import type { Command } from '@oclif/core';
import { type CommandRow, commandOf } from '../../src/cli/command/row.js';

interface OneCommand {
  /** The words of its name. */
  readonly id: readonly string[];
  readonly command: typeof Command;
}

type Contents = typeof Command | Readonly<Record<string, CommandRow>>;

export async function allCommands(): Promise<readonly OneCommand[]> {
  const files = import.meta.glob<{ default: Contents }>('../../commands/**/*.ts');
  const found = Object.entries(files).map(async ([path, load]): Promise<OneCommand[]> => {
    const id = path.replace('../../commands/', '').replace('.ts', '').split('/');
    const { default: contents } = await load();
    return typeof contents === 'function'
      ? [{ id, command: contents }]
      : Object.entries(contents).map(([name, row]) => ({ id: id.with(-1, name), command: commandOf(row) }));
  });
  return (await Promise.all(found)).flat();
}
