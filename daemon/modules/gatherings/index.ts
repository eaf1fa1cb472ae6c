export type { Gatherings } from './module.js';
