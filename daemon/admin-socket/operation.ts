/**
 * What the operator may ask of an installation: a name, the shape of question and answer, and what is done. The same
 * operation runs in the daemon when one holds the data folder, and directly on the files when none does.
 */
import type { z } from 'zod';
import type { AccountAdministration } from '../modules/identity/accounts/administration.js';
import type { KeyRing } from '../platform/secrets/key-ring.js';
import type { SecretBox } from '../platform/secrets/secret-box.js';

/** What operations work on. */
export interface Desk {
  readonly accounts: AccountAdministration;
  readonly box: SecretBox;
  readonly ring: KeyRing;
  /** Of a daemon that runs and has rooms: looks for a recogniser where none was found, and says what recognises now. */
  readonly lookForSpeech?: () => Promise<string | null>;
}

export interface Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly input: I;
  readonly output: O;
  /** Throws Refused with what to do, and what nobody expected. */
  run(desk: Desk, input: z.output<I>): Promise<z.input<O>>;
}

export const defineOperation = <I extends z.ZodType, O extends z.ZodType>(
  operation: Operation<I, O>,
): Operation<I, O> => operation;
