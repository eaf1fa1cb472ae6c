/** A control group of Linux that limits the memory of a program and of everything that it starts. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.js';

interface Version {
  readonly folder: string;
  readonly limit: string;
  /** Says how many processes were killed because there was no memory left, in a line `oom_kill N`. */
  readonly events: string;
  readonly prepare?: () => void;
}

/** How long processes may take that were told to end; vitest gives a hook 10 seconds. */
const endsWithinMs = 8_000;
const unified = '/sys/fs/cgroup';
const versions: readonly Version[] = [
  { folder: `${unified}/memory`, limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
  {
    folder: unified,
    limit: 'memory.max',
    events: 'memory.events',
    prepare: () => writeFileSync(`${unified}/cgroup.subtree_control`, '+memory'),
  },
];

export class MemoryGroup {
  private constructor(
    private readonly folder: string,
    private readonly events: string,
  ) {}

  /** Returns null where the system has no such groups, or lets us make none. */
  static make(name: string, bytesMax: number): MemoryGroup | null {
    for (const { folder, limit, events, prepare } of versions) {
      const own = join(folder, name);
      try {
        prepare?.();
        mkdirSync(own);
        if (existsSync(join(own, limit))) {
          writeFileSync(join(own, limit), String(bytesMax));
          return new MemoryGroup(own, join(own, events));
        }
        rmdirSync(own);
      } catch {
        // The next version, then.
      }
    }
    return null;
  }

  /** Begins a command line: what follows runs in the group. */
  get enter(): readonly string[] {
    return ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(this.folder, 'cgroup.procs')];
  }

  /** Returns how many processes had to be killed. */
  get killed(): number {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync(this.events, 'utf8'))?.[1]);
  }

  /** Removes the group once the last of its processes has ended: until then it is busy. */
  remove(): Promise<void> {
    return eventually(() => rmdirSync(this.folder), endsWithinMs);
  }
}
