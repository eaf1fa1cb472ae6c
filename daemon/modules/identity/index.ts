export type { FirstAdministrator } from './accounts/bootstrap.js';
export type { Identity } from './module.js';
