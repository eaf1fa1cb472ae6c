/** Sentences of the room page where no sound gets through: each names the setting that helps there. */
import { expect, it } from 'vitest';
import { unreachableNotice } from '../../web/room/unreachable.js';
import { en } from '../../web/words/en.js';

const told = (addresses: string[], pageHost: string) =>
  unreachableNotice({ addresses, port: addresses.length === 0 ? null : 40_500 }, pageHost, en.noSound);

it.each([
  [
    'a firewall or private addresses',
    ['10.0.0.7', '192.168.1.7'],
    'voice.example',
    /UDP port 40500 of 10\.0\.0\.7, 192\.168\.1\.7\. .*firewall, and set EARSHOT_MEDIA_ADDRESS/,
  ],
  [
    'loopback alone, from elsewhere',
    ['127.0.0.1'],
    'voice.example',
    /unset EARSHOT_MEDIA_HOST, and set EARSHOT_MEDIA_ADDRESS/,
  ],
  [
    'loopback alone, in Firefox on the same machine',
    ['127.0.0.1'],
    'localhost',
    /Firefox.*unset EARSHOT_MEDIA_HOST, and connect/,
  ],
  ['no address at all', [], '127.0.0.1', /names no address for it\. For those/],
])('%s', (_, addresses, pageHost, sentence) => {
  expect(told(addresses, pageHost)).toMatch(sentence);
  expect(told(addresses, pageHost)).toMatch(/goes on trying\.$/);
});
