import { describe, expect, it } from 'vitest';
import { isMeant, parseTarget } from '../../src/cli/events/forward.js';

describe('an address of listen --forward-to', () => {
  it.each([
    ['http://127.0.0.1:3000/hook', 'sanction.created', true],
    ['sanction.*=http://127.0.0.1:3000/hook', 'sanction.created', true],
    ['sanction.*,message.created=http://127.0.0.1:3000/hook', 'message.created', true],
    ['sanction.*=http://127.0.0.1:3000/hook', 'message.created', false],
    // Events that never leave by webhook are not forwarded either.
    ['http://127.0.0.1:3000/hook', 'webhook.delivery.updated', false],
    ['webhook.*=http://127.0.0.1:3000/hook', 'webhook.delivery.updated', false],
    ['webhook.*=http://127.0.0.1:3000/hook', 'webhook.subscription.disabled', true],
  ])('%s gets %s: %s', (text, type, expected) => {
    expect(isMeant(parseTarget(text), type)).toBe(expected);
  });

  it.each(['127.0.0.1:3000', 'Sanction=http://127.0.0.1:3000/hook', 'sanc*=http://127.0.0.1:3000/hook'])(
    'is not %s',
    (text) => {
      expect(() => parseTarget(text)).toThrow('is not an address');
    },
  );
});
