export type { RoomCarrier } from './carrier.js';
export type { Observer, RoomEvent, RoomKey, RoomPeer, RoomTap, RoomView } from './media/engine.js';
