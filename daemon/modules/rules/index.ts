export type { RuleDirectory } from './module.js';
