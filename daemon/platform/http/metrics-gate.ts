/**
 * Access to the metrics at the API's port: they cover all tenants, so it takes an administrator of the tenant that runs the
 * installation, or a key of it that is not bound to a project. A Prometheus on the same machine needs neither when it connects directly: behind a
 * proxy every request would come from there.
 */
import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { defineRoute } from '../../../src/contract/route.js';
import { type Edge, identify } from './bind.js';

const metricsRoute = defineRoute({
  operationId: 'getMetrics',
  summary: 'Metrics for Prometheus.',
  group: 'Health and login',
  method: 'get',
  path: '/metrics',
  auth: ['apiKey', 'bearer'],
  scope: 'projects:read',
  tenantRole: 'admin',
  runsInstallation: true,
  success: { status: 200, contentType: 'text/plain' },
  errors: [],
});

/** Headers by which proxies name the client, or themselves. */
const forwarding =
  /^(forwarded|via|x-forwarded(-.+)?|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.+|true-client-ip|(cf|fastly|fly)-.*ip)$/;

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/** Proxies that add no such headers still send another host, or speak HTTP/1.0 as nginx does by default. */
function isDirectFromHere({ socket, headers, hostname, httpVersion }: Request): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    (host === 'localhost' || isLoopback(host)) &&
    httpVersion === '1.1' &&
    !Object.keys(headers).some((name) => forwarding.test(name))
  );
}

/** Lets readers with the right pass, and throws the usual refusals otherwise. */
export function metricsGate(edge: Edge, hasProxies: boolean): RequestHandler {
  return async (request, response, next) => {
    if (hasProxies || !isDirectFromHere(request)) {
      const { caller } = await identify(metricsRoute, edge, { request, head: response });
      const named = { params: {}, headers: request.headers, body: async () => null };
      await edge.authorisation.projectOf(metricsRoute, caller, named);
    }
    next();
  };
}
