/** Names of what is new: commands that create something take its name as their first argument; a flag does the same. */
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { argumentOrFlag } from './fields.js';

export const newNameArgument = Args.string({ description: 'Name' });
export const newNameFlag = Flags.string({ description: 'Instead of the argument' });

/** What a command writes about is looked up; these take an id that nothing is known of. */
export const newPersonFlag = Flags.boolean({ description: 'Accept an external id that the project does not know yet' });
export const newRoomFlag = Flags.boolean({ description: 'Accept a room id that nothing has used yet' });

/** The flags with the name, however it was typed. Throws UsageError. */
export const withName = <F extends { readonly name?: string | undefined }>(
  args: { readonly name?: string | undefined },
  flags: F,
): F & { readonly name: string } => ({ ...flags, name: argumentOrFlag(args.name, flags.name, 'name') });
