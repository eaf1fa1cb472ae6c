/** Carries out an operator's request on the files of an installation whose daemon does not run. */
import type { z } from 'zod';
import { modulesOf } from '../modules.js';
import type { AdminOperation } from '../platform/admin-operation.js';
import type { Settings } from '../platform/config/schema.js';
import { openFoundation } from '../platform/foundation.js';
import { createLogger } from '../platform/observability/logger.js';
import { platformOf } from '../platform/platform.js';
import { systemClock } from '../platform/time/clock.js';

/** Throws Refused, DataFolderInUse, and what opening the folder throws. */
export async function operateOnFiles<I extends z.ZodType, O extends z.ZodType>(
  settings: Settings,
  operation: AdminOperation<I, O>,
  given: z.input<I>,
): Promise<z.output<O>> {
  const logger = createLogger('error');
  const foundation = await openFoundation(settings, systemClock, logger);
  try {
    const { operations } = await modulesOf(await platformOf(foundation, settings, logger, systemClock));
    const handler = operations.find(({ operation: { name } }) => name === operation.name);
    if (handler === undefined) throw new Error(`No module offers ${operation.name}.`);
    return operation.output.parse(await handler.run(given));
  } finally {
    await foundation.close();
  }
}
