/**
 * Loaded into a daemon by `NODE_OPTIONS`: whoever looks up a name below `deadly.test` ends the daemon, as long as the file
 * DEADLY_NAMES_FILE exists. It stands for a fault that one delivery or run brings about. Plain JavaScript, as Node.js
 * loads it.
 */
import dns from 'node:dns';
import { existsSync } from 'node:fs';

const { prototype } = dns.promises.Resolver;
for (const method of ['resolve4', 'resolve6']) {
  const real = prototype[method];
  prototype[method] = function resolve(host, ...rest) {
    if (!host.endsWith('deadly.test')) return real.call(this, host, ...rest);
    if (existsSync(process.env.DEADLY_NAMES_FILE ?? '')) process.kill(process.pid, 'SIGKILL');
    return Promise.resolve(method === 'resolve4' ? ['127.0.0.1'] : []);
  };
}
