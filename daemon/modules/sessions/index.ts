export type { SessionReaders, Sessions } from './module.js';
