/** Answers of the intake, in the shapes of the public SDK. */
import type { EventBatchResult } from '../../../src/contract/gameplay/gameplay.js';
import type { EventOutcome } from './intake.js';

export const acknowledgement = { status: 200, message: 'OK' } as const;

const accepted = { ...acknowledgement, code: null, details: [] };
export const resultOf = ({ refusal, late }: EventOutcome): EventBatchResult =>
  refusal === null
    ? { ...accepted, late }
    : { status: refusal.status, message: refusal.message, code: refusal.code, details: refusal.details ?? [], late };
