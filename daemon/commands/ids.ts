/** `earshotd ids …`. */
import type { z } from 'zod';
import { print } from '../../src/terminal/terminal.js';
import { renameFoldedId } from '../modules/people/module.js';
import { operate } from './operate.js';
import type { SettingOptions } from './setting-options.js';

export async function rename(
  { kind, from, to }: { readonly kind: string; readonly from: string; readonly to: string },
  options: SettingOptions & { project: string },
): Promise<void> {
  const projectId = options.project;
  await operate(options, renameFoldedId, { kind, from, to, projectId } as z.input<typeof renameFoldedId.input>); // judged there
  print(`renamed: ${kind} ${from} is ${to} now`);
}
