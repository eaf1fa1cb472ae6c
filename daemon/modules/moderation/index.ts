export type { Moderation } from './module.js';
export type { PolicyReader } from './sanctions/policy-reader.js';
export type { RoomEnforcer } from './sanctions/room-enforcer.js';
