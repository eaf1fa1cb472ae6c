/**
 * Loaded into a daemon by `NODE_OPTIONS`: names below `unroutable.test` have addresses to which `connect()` fails at once,
 * as an IPv6 address does on a host without IPv6. TCP to a multicast address fails so on every host. Plain JavaScript, as
 * Node.js loads it.
 */
import dns from 'node:dns';

const addresses = ['224.0.0.1', '224.0.0.2'];
const isUnroutable = (host) => host.endsWith('unroutable.test');

const { prototype } = dns.promises.Resolver;
for (const [method, found] of [
  ['resolve4', addresses],
  ['resolve6', []],
]) {
  const real = prototype[method];
  prototype[method] = function resolve(host, ...rest) {
    return isUnroutable(host) ? Promise.resolve(found) : real.call(this, host, ...rest);
  };
  const realCallback = dns.Resolver.prototype[method];
  dns.Resolver.prototype[method] = function resolve(host, callback) {
    if (isUnroutable(host)) process.nextTick(callback, null, found);
    else realCallback.call(this, host, callback);
  };
}

/** Lookup that `fetch` and mail use. */
const lookup = dns.lookup;
dns.lookup = (host, options, callback) => {
  if (!isUnroutable(host)) return lookup(host, options, callback);
  const [address = ''] = addresses;
  const done = typeof options === 'function' ? options : callback;
  if (options?.all) process.nextTick(done, null, [{ address, family: 4 }]);
  else process.nextTick(done, null, address, 4);
};
