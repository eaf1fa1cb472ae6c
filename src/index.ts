/** What an `import` of the package gives: the client with its contract, and the signatures that both sides check. */
export * from './client/earshot-client.js';
export * from './client/event-stream.js';
export * from './client/topic-refused.js';
export * from './client/topic-stream.js';
export { allRoutes } from './contract/routes.js';
export * from './signing.js';
