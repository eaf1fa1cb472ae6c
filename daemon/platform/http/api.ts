/** The HTTP API of a daemon: the routes and routers of its modules on one listener. */
import type { Role } from '../config/schema.js';
import { inRoles, type Module, type ModulePart } from '../module.js';
import type { Answered } from '../observability/metrics.js';
import type { Platform } from '../platform.js';
import { version } from '../version.js';
import { createApp } from './app.js';
import type { Edge } from './bind.js';
import { withLane } from './lane.js';
import { openApiRouter } from './openapi.js';
import { pageRouter } from './pages.js';
import { upgradeRouter } from './upgrades.js';

/** Open requests may finish for this long when the daemon stops. */
const graceMs = 2_000;

export function apiPart(
  platform: Platform,
  modules: readonly Module[],
  { edge, roles, outage }: { readonly edge: Edge; readonly roles: ReadonlySet<Role>; readonly outage: () => void },
): ModulePart {
  const { metrics, listener, limits, bodies, connections, publicUrl, settings, logger } = platform;
  const own = inRoles(
    modules.flatMap(({ routers }) => routers ?? []),
    roles,
  ).map(({ router }) => router);
  const openApi = openApiRouter(() => ({ version, serverUrl: publicUrl() }), limits);
  const serves = roles.has('http');
  const shared = {
    routes: serves ? modules.flatMap(({ routes }) => routes ?? []) : [],
    edge,
    addresses: connections.addresses,
    corsOrigins: settings.EARSHOT_CORS_ORIGINS ?? [],
    log: logger,
    outage,
    answered: (answer: Answered) => metrics.answered(answer),
  };
  const app = createApp({
    ...shared,
    routers: [...own, pageRouter(platform), upgradeRouter(listener.upgrades), ...(serves ? [openApi] : [])],
  });
  // Every daemon answers for its health, whatever its roles; voice and MQTT over WebSocket use HTTP too.
  return {
    name: 'http',
    stage: 'serving',
    start: () => listener.start(withLane(app, shared)),
    stop: async () => {
      await listener.stop(graceMs);
      await bodies.stop();
    },
  };
}
