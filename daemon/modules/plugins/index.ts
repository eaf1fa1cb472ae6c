export type { AnnotationReader } from './annotations/reader.js';
