export type { ProjectDirectory } from './directory.js';
