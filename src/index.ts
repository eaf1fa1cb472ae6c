/** Entry of the package in Node.js: the client with its contract, and signatures for both sides. */
export { TopicRefused } from './client/topic-refused.js';
export { type TopicNotice, TopicStream, type TopicStreamOptions } from './client/topic-stream.js';
export * from './portable.js';
export { freshnessMs, sign, verify } from './signing.js';
