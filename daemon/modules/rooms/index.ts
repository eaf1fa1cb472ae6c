export type { RoomCarrier } from './carrier.js';
export type { RoomKey } from './media/engine.js';
