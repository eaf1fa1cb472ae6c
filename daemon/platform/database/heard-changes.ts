/**
 * Tells whether anybody has stored anything in a PostgreSQL database, without asking it: each daemon tells the others when
 * it has. SQLite says so itself.
 */

/** How the others are told, and tell. */
interface Announcements {
  /** False: what others say is not heard now. */
  readonly isHearing: boolean;
  tellOthers(news: 'rows'): void;
  onWake(listener: () => void, news: 'rows'): () => void;
}

/** The others know this soon what was stored, in one notification for all of it. */
const gatheredMs = 200;
/** What was stored unheard, for example by a daemon that crashed right after its commit, is found this soon. */
const usualUnheardMs = 30_000;

export class HeardChanges {
  private count = 0;
  private announcements: Announcements | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly unheardMs = usualUnheardMs) {}

  follow(announcements: Announcements): void {
    this.announcements = announcements;
    announcements.onWake(() => (this.count += 1), 'rows');
  }

  /** Another number once anybody has stored anything; null: unknown. */
  version = (): number | null =>
    this.announcements?.isHearing ? this.count + Math.floor(performance.now() / this.unheardMs) : null;

  /** This process has stored something. */
  stored(): void {
    this.count += 1;
    this.timer ??= setTimeout(() => this.announce(), gatheredMs).unref();
  }

  /** Tells the others at once what they were to be told. */
  announce(): void {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.announcements?.tellOthers('rows');
  }
}
