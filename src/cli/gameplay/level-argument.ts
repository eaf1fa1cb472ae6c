/** Levels have no names. */
import { Args } from '@oclif/core';

export const levelArgument = Args.string({ required: true, description: 'Level id' });
