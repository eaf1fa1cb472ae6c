export type { Access } from './access.js';
export type { ProjectDirectory } from './directory.js';
