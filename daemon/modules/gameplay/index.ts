export type { Gameplay } from './module.js';
