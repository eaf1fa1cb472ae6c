export type { AnnotationReader } from './annotations/reader.js';
export type { Plugins } from './module.js';
