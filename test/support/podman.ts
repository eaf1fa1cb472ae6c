/** Podman with a store, volumes and networks of its own, for root, and for kernels where it may set neither limits nor cgroups of version 2. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const hasPodman =
  process.getuid?.() === 0 &&
  ['podman', 'runc', 'podman-compose'].every((program) => spawnSync(program, ['--version']).status === 0);

export class Podman {
  private readonly env: NodeJS.ProcessEnv;

  /** @param folder is made, and removed by `dispose` */
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
    const file = (name: string, lines: readonly string[]): string => {
      writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
      return join(folder, name);
    };
    const storage = ['driver="overlay"', `graphroot="${folder}/store"`, `runroot="${folder}/run"`];
    const engine = ['runtime="runc"', 'cgroup_manager="cgroupfs"', 'events_logger="file"'];
    this.env = {
      ...process.env,
      CONTAINERS_STORAGE_CONF: file('storage.conf', ['[storage]', ...storage]),
      CONTAINERS_CONF: file('containers.conf', [
        ...['[containers]', 'default_ulimits=[]', '[engine]', ...engine],
        ...['[network]', `network_config_dir="${folder}/networks"`],
      ]),
    };
  }

  /** Runs `podman` to its end, and returns what it printed. Throws with its complaint. */
  run(args: readonly string[], input?: Buffer): string {
    return this.must('podman', args, input);
  }

  /** Runs `podman-compose` in a folder with compose files. */
  compose(cwd: string, args: readonly string[], variables: Readonly<Record<string, string>>): string {
    return this.must('podman-compose', args, undefined, cwd, variables);
  }

  dispose(): void {
    for (const args of [
      ['rm', '--force', '--all', '--time', '0'],
      ['network', 'prune', '--force'],
    ])
      spawnSync('podman', args, { env: this.env });
    spawnSync('umount', [`${this.folder}/store/overlay`]);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private must(program: string, args: readonly string[], input?: Buffer, cwd?: string, variables = {}): string {
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      env: { ...this.env, ...variables },
      maxBuffer: 2 ** 30,
      ...(input === undefined ? {} : { input }),
      ...(cwd === undefined ? {} : { cwd }),
    });
    if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')}: ${stderr}${stdout}`);
    return stdout.toString().trim();
  }
}
