/** Counts what the log has more, for `earshotd doctor`: figures that cannot be counted answer nobody. */
import { z } from 'zod';
import { type AdminHandler, handlerOf } from '../../platform/admin-operation.js';
import { Refused } from '../../platform/refused.js';
import type { DayFolding } from './days/folding.js';

export const countFigures = {
  name: 'figures.count',
  input: z.object({}),
  output: z.object({ projects: z.int() }),
};

export const figureOperations = (folding: Pick<DayFolding, 'foldAll'>): AdminHandler[] => [
  handlerOf(countFigures, async () => {
    try {
      return { projects: await folding.foldAll() };
    } catch (error) {
      throw new Refused(error instanceof Error ? error.message : String(error));
    }
  }),
];
