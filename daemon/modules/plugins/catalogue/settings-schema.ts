/** The settings of a plugin of the catalogue, as its manifest states them. */
import { z } from 'zod';
import { FreeData } from '../../../../src/contract/common.js';

/** JSON Schema of what a project sends: fields with defaults may be left out. */
export const settingsSchema = (settings: z.ZodObject): z.infer<typeof FreeData> =>
  FreeData.parse(z.toJSONSchema(settings, { io: 'input' }));
