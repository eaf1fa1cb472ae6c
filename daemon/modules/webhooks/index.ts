export type { EventDataRedaction } from './event-data-redaction.js';
export type { Webhooks } from './module.js';
