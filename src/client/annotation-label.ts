/** An annotation in a few words. */
import type { MessageAnnotation } from '../contract/plugins/annotations.js';

const brief = (value: unknown): string => (Array.isArray(value) ? value.join('+') : String(value ?? ''));

/** Its type, with a label, categories or a score where it has one. */
export const annotationLabel = ({ type, content }: Pick<MessageAnnotation, 'type' | 'content'>): string =>
  `${type} ${brief(content.label ?? content.categories ?? content.score)}`.trim();
