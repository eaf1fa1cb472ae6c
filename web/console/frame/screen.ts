/** A screen of the console: a folder of its own, loaded when it is opened. */
import type { ComponentType } from 'react';
import type { ProjectRole } from '../../../src/contract/route.js';
import type { IconName } from '../parts/icon.js';
import type { FirstWords } from '../words/en.js';

export interface ConsoleScreen {
  /** Below `/projects/ID/`; the id of what is open follows it. */
  readonly path: string;
  readonly title: (words: FirstWords) => string;
  readonly icon: IconName;
  /** Letter after `g` that leads here. */
  readonly key: string;
  /** Least role that sees it; left out: everybody. */
  readonly role?: ProjectRole;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}
