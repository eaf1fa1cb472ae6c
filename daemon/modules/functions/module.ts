/** Functions: settings of the game's code that a hosting API runs, and their activation there. */
import type { Module } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import { HostingApi } from './hosting-api.js';
import { functionRouter } from './routes.js';
import { FunctionService } from './service.js';
import { FunctionStore } from './store.js';

export function functionsModule({ database, outbound, outsideWaits, box, logger, now }: Platform): Module {
  const store = new FunctionStore(database);
  const functions = new FunctionService({
    database,
    functions: store,
    hosting: new HostingApi(outbound),
    box,
    logger,
    now,
  });
  return {
    name: 'functions',
    routes: functionRouter(functions, outsideWaits),
    project: { close: (projectId) => functions.close(projectId) },
  };
}
