/** Entry of the package in Node.js: the client with its contract, and signatures for both sides. */

export * from './client/portable.js';
export { TopicRefused } from './client/topic-refused.js';
export { type TopicNotice, TopicStream, type TopicStreamOptions } from './client/topic-stream.js';
export { freshnessMs, sign, verify } from './signing/signing.js';
