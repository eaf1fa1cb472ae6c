/**
 * What systemd is told of the daemon where it runs as a unit of `Type=notify` (sd_notify(3)): that its start goes on, that it serves,
 * that it is alive, that it stops. Node.js has no datagram sockets of the file system, so `systemd-notify` says it.
 */
import { spawn } from 'node:child_process';

/** A start may be silent for so long; it is told three times within. */
const startSilenceSeconds = 120;
const tellEveryMs = (startSilenceSeconds * 1_000) / 3;

const extension = (seconds: number): string => `EXTEND_TIMEOUT_USEC=${Math.ceil(seconds) * 1_000_000}`;

/** Variables that systemd sets for a unit. */
type ServiceEnvironment = Readonly<Partial<Record<'NOTIFY_SOCKET' | 'WATCHDOG_USEC', string>>>;

export class ServiceManager {
  private readonly isThere: boolean;
  private timer: ReturnType<typeof setInterval> | undefined;

  /** @param failed is told once that nothing can be told */
  constructor(
    private readonly environment: ServiceEnvironment,
    private failed: (error: Error) => void,
  ) {
    this.isThere = (environment.NOTIFY_SOCKET ?? '') !== '';
  }

  /** Before the start: as long as the process is not stuck, its start may take. */
  starts(): void {
    this.repeat(tellEveryMs, () => this.extend(startSilenceSeconds));
  }

  /** What comes may hold the process up for so long, such as the upgrade of a SQLite file. */
  extend(seconds: number): void {
    this.tell(extension(seconds));
  }

  /** From here on the process says that it is alive, if the unit has a watchdog. */
  serves(status: string): void {
    this.tell('READY=1', `STATUS=${status}`);
    const watchdogMs = Number(this.environment.WATCHDOG_USEC ?? 0) / 1_000;
    if (watchdogMs > 0) this.repeat(watchdogMs / 3, () => this.tell('WATCHDOG=1'));
    else clearInterval(this.timer);
  }

  /** @param seconds that the stop may take */
  stops(seconds: number): void {
    this.tell('STOPPING=1', 'STATUS=stopping', extension(seconds));
  }

  private repeat(everyMs: number, tell: () => void): void {
    clearInterval(this.timer);
    if (!this.isThere) return;
    tell();
    this.timer = setInterval(tell, everyMs);
    this.timer.unref();
  }

  private tell(...words: readonly string[]): void {
    if (!this.isThere) return;
    const child = spawn('systemd-notify', words, { stdio: 'ignore' });
    child.once('error', (error) => {
      this.failed(error);
      this.failed = () => {};
    });
    child.unref();
  }
}
