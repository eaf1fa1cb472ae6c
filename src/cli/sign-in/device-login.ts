/** Signs somebody in who confirms a code on another device (RFC 8628). */
import type { EarshotClient } from '../../client/earshot-client.js';
import { ApiError, DaemonUnreachable } from '../../client/errors.js';
import { accountRoutes, type LoginResponse } from '../../contract/identity/accounts.js';
import { Interrupted, untilEnd } from '../../terminal/interruption.js';
import { harmless } from '../../text/printable.js';
import { SignInFailed } from './errors.js';

/** RFC 8628, section 3.5: the interval grows by this each time. */
const slowDownSeconds = 5;

/** Throws SignInFailed, Interrupted, and the refusals of the daemon. */
export async function loginByDevice(
  client: EarshotClient,
  { say, interrupted }: { readonly say: (line: string) => void; readonly interrupted: AbortSignal },
): Promise<LoginResponse> {
  const device = await client.call(accountRoutes.startDeviceLogin, {});
  const endsAt = Date.now() + device.expiresIn * 1_000;
  say(
    `On any device, open ${harmless(device.verificationUri)} and enter the code:\n\n  ${harmless(device.userCode)}\n`,
  );
  if (device.verificationUriComplete !== null)
    say(`Or open this address, which has the code in it:\n\n  ${harmless(device.verificationUriComplete)}\n`);
  say('Waiting until the sign-in is confirmed; ctrl-c cancels.');
  for (let seconds = device.interval; ; ) {
    await untilEnd(interrupted, seconds);
    if (interrupted.aborted) throw new Interrupted();
    try {
      return await client.call(accountRoutes.finishDeviceLogin, { body: { deviceCode: device.deviceCode } });
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null;
      if (code === 'device_login_denied' && error instanceof ApiError) throw new SignInFailed(error.message);
      const isOver = code === 'device_login_expired' || Date.now() > endsAt;
      if (isOver) throw new SignInFailed('The code was not confirmed in time. Run the command again.');
      if (code === 'device_login_slow_down') seconds += slowDownSeconds;
      // RFC 8628, section 3.5: after a failed connection the client asks less often.
      else if (isAway(error)) seconds = Math.min(seconds * 2, 60);
      else if (code !== 'device_login_pending') throw error;
    }
  }
}

/** The daemon or the provider does not answer now. */
const isAway = (error: unknown): boolean =>
  error instanceof DaemonUnreachable || (error instanceof ApiError && (error.status >= 500 || error.status === 429));
