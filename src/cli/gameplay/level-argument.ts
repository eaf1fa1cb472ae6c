import { nameArgument } from '../names/kinds.js';

export const levelArgument = nameArgument('level');
