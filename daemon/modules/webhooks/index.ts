export type { EventForgetting } from './event-forgetting.js';
export type { Webhooks } from './module.js';
