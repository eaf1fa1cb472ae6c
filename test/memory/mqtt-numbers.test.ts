/** What the library of MQTT packets keeps from the first packet on. */
import { generate, writeToStream } from 'mqtt-packet';
import { expect, it } from 'vitest';
import '../../daemon/modules/mqtt/version5.js';

it('a packet has no table of 65,536 buffers made', () => {
  const before = process.memoryUsage().heapUsed;
  generate({ cmd: 'puback', messageId: 1 });
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(1024 ** 2);
  expect(writeToStream.cacheNumbers).toBe(false);
});
