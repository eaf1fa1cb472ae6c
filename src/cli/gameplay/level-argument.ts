/** Levels have no names. */
import * as Args from '@oclif/core/args';

export const levelArgument = Args.string({ required: true, description: 'Level id' });
