/** Needs of a token provider; a stored secret is not sent to a server that it was not given for. */
import { describe, expect, it } from 'vitest';
import { refuseElsewhere, refuseUnusable } from '../../daemon/modules/projects/settings/rules.js';
import type { TokenProvider } from '../../src/contract/projects/settings.js';

const livekit = { url: 'wss://voice.example', apiKey: 'key', apiSecret: 'secret' };

describe('a token provider', () => {
  it.each<[TokenProvider, Record<string, string>]>([
    ['embedded', {}],
    ['livekit', livekit],
    ['livekit', { ...livekit, url: 'https://voice.example' }],
    ['access_key', { accessKey: 'key' }],
    ['url', { url: 'https://tokens.example' }],
  ])('%s is usable with %o', (provider, fields) => {
    expect(() => refuseUnusable(provider, fields)).not.toThrow();
  });

  it.each<[TokenProvider, Record<string, string>, string[]]>([
    ['livekit', {}, ['url', 'apiKey', 'apiSecret']],
    ['livekit', { ...livekit, url: 'ftp://voice.example' }, ['url']],
    ['access_key', {}, ['accessKey']],
    ['url', {}, ['url']],
    ['url', { url: 'wss://tokens.example' }, ['url']],
  ])('%s is refused with %o', (provider, fields, paths) => {
    const details = paths.map((name) => expect.objectContaining({ path: `body.tokenProviderSettings.${name}` }));
    expect(() => refuseUnusable(provider, fields)).toThrow(
      expect.objectContaining({ code: 'validation_failed', details }),
    );
  });
});

describe('a stored secret', () => {
  it.each([
    ['the same address', livekit, livekit],
    ['another path of the server', livekit, { ...livekit, url: 'wss://voice.example/other' }],
    ['another server, with new secrets', livekit, { url: 'wss://other.example', apiKey: 'k2', apiSecret: 's2' }],
    ['no secret at all', { url: 'https://a.example' }, { url: 'https://b.example' }],
  ])('may go with %s', (_, before, after) => {
    expect(() => refuseElsewhere(before, after)).not.toThrow();
  });

  it.each([
    ['host', 'wss://other.example'],
    ['port', 'wss://voice.example:444'],
    ['scheme', 'ws://voice.example'],
  ])('does not go to another %s', (_, url) => {
    expect(() => refuseElsewhere(livekit, { ...livekit, url })).toThrow(
      expect.objectContaining({ code: 'secret_needed_again' }),
    );
    expect(() => refuseElsewhere(livekit, { ...livekit, url, apiKey: 'new' })).toThrow();
  });
});
