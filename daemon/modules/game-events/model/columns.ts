/** Readers of columns of JSON that several tables of gameplay have. */
import { z } from 'zod';
import { MetadataCondition, ResetPeriod } from '../../../../src/contract/gameplay/challenges.js';
import { Texts } from '../../../../src/contract/gameplay/localised-text.js';
import { jsonOf } from '../../../platform/database/column-values.js';

export const textsOf = jsonOf(Texts);
export const textsOrNull = (json: string | null) => (json === null ? null : textsOf(json));
export const conditionsOf = jsonOf(z.array(MetadataCondition));
const resetPeriodOf = jsonOf(ResetPeriod);
export const resetPeriodOrNull = (json: string | null) => (json === null ? null : resetPeriodOf(json));
/** Properties of a game event that have no column of their own. */
export const propertiesOf = jsonOf(z.record(z.string(), z.union([z.number(), z.string()])));
