/** Reads the commands of the examples for CI, in their order. */
import { parse } from 'yaml';
import { z } from 'zod';
import { textOf } from './support.js';

const GitHub = z.object({
  jobs: z.object({ moderation: z.object({ steps: z.array(z.object({ run: z.string().optional() })) }) }),
});
const GitLab = z.object({ moderation: z.object({ script: z.array(z.string()) }) });

interface Job {
  readonly name: string;
  /** What an empty checkout needs first. */
  readonly setUp: readonly string[];
  /** Judges the program under test. */
  readonly judge: string;
}

function job(name: string, commands: readonly string[]): Job {
  return { name, setUp: commands.slice(0, -1), judge: commands.at(-1) ?? '' };
}

/** Does what the action of GitHub does that checks Earshot out. */
const clone = 'git clone --quiet --depth 1 "$EARSHOT_REPOSITORY" earshot';
const steps = GitHub.parse(parse(textOf('ci.yml'))).jobs.moderation.steps;

export const ciJobs: readonly Job[] = [
  job('ci.yml', [clone, ...steps.flatMap(({ run }) => (run === undefined ? [] : [run]))]),
  job('gitlab-ci.yml', GitLab.parse(parse(textOf('gitlab-ci.yml'))).moderation.script),
];
