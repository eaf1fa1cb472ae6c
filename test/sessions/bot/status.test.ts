import { describe, expect, it } from 'vitest';
import { listeningCause, refusalCause } from '../../../daemon/modules/sessions/bot/status.js';

const healthy = {
  room: 'there' as const,
  recogniserThere: true,
  failuresInARow: 0,
  isTooSlow: false,
  lineLost: false,
  peersPresent: 2,
  speechSeconds: 3,
  framesRefused: 0,
  framesAccepted: 500,
};

describe('why nothing is written down', () => {
  it.each([
    [null, {}],
    [null, { failuresInARow: 2 }],
    ['recogniser_unavailable', { recogniserThere: false, peersPresent: 0 }],
    ['recogniser_failing', { failuresInARow: 3 }],
    ['recogniser_too_slow', { failuresInARow: 3, isTooSlow: true }],
    ['lines_not_stored', { lineLost: true, failuresInARow: 3, peersPresent: 0 }],
    ['e2ee_password_wrong', { framesRefused: 50, framesAccepted: 0, speechSeconds: 0 }],
    ['no_speech', { framesRefused: 49, framesAccepted: 0, speechSeconds: 0 }],
    [null, { framesRefused: 500 }], // one speaker's password is wrong, another's is not
    ['room_empty', { peersPresent: 0, speechSeconds: 0 }],
    ['no_speech', { speechSeconds: 0 }],
    ['room_restarted', { room: 'restarted' as const, peersPresent: 0 }],
    ['no_speech', { room: 'restarted' as const, speechSeconds: 0 }], // somebody is back
    ['room_unreachable', { room: 'unreachable' as const, recogniserThere: false }],
  ])('%s', (cause, facts) => {
    expect(listeningCause({ ...healthy, ...facts })).toBe(cause);
  });
});

describe('why no bot can listen', () => {
  const settings = { tokenProvider: 'embedded', e2eEncryptionMode: 'disabled', e2eEncryptionPassword: null };
  const manual = { e2eEncryptionMode: 'manual' };
  it.each([
    [null, {}],
    ['provider_unsupported', { tokenProvider: 'livekit' }],
    ['provider_unsupported', { tokenProvider: 'url', ...manual }],
    ['e2ee_password_missing', manual],
    [null, { ...manual, e2eEncryptionPassword: 'open sesame' }],
    [null, { e2eEncryptionMode: 'managed' }],
  ])('%s under %o', (cause, fields) => {
    expect(refusalCause({ ...settings, ...fields })).toBe(cause);
  });

  it('settings_removed where the project has none', () => {
    expect(refusalCause(null)).toBe('settings_removed');
  });
});
