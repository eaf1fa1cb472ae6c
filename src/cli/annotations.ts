/** An annotation in a few words, for a column of a table. */
import type { MessageAnnotation } from '../contract/plugins/annotations.js';

const brief = (value: unknown): string => (Array.isArray(value) ? value.join('+') : String(value ?? ''));

/** Its type, with a label, categories or a score where it has one. */
export const annotationLabel = ({ type, content }: MessageAnnotation): string =>
  `${type} ${brief(content.label ?? content.categories ?? content.score)}`.trim();
