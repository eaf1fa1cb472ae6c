/** What the daemon cannot know about the provider: a small YAML file beside the figures. */
import { parse } from 'yaml';
import { z } from 'zod';
import { UsageError } from '../../terminal/usage-error.js';
import { readText } from '../files/read-text.js';

const Count = z.number().int().min(0).nullish();
const Text = z.string().max(20_000).nullish();

const Facts = z.strictObject({
  provider: Text,
  service: Text,
  publication_date: Text,
  previous_publication_date: Text,
  human_resources: z
    .strictObject({
      internal_moderators: Count,
      external_moderators: Count,
      languages: z.record(z.string().regex(/^[a-z]{2}$/), z.number().int().min(0)).nullish(),
    })
    .nullish(),
  out_of_court_disputes: z
    .strictObject({
      total: Count,
      upheld: Count,
      partially_reversed: Count,
      reversed: Count,
      omitted: Count,
      median_hours: z.number().min(0).nullish(),
      implemented_percent: z.number().min(0).max(100).nullish(),
    })
    .nullish(),
  suspensions: z
    .strictObject({
      manifestly_illegal_content: Count,
      manifestly_unfounded_notices: Count,
      manifestly_unfounded_complaints: Count,
    })
    .nullish(),
  active_recipients_by_member_state: z.record(z.string().regex(/^[A-Z]{2}$/), z.number().min(0)).nullish(),
  own_initiative_summary: Text,
  own_initiative_information: Text,
  automated_means: Text,
  automated_means_accuracy: Text,
  automated_means_purposes: Text,
  automated_means_safeguards: Text,
});

/** Without `null`, which an empty line of the template is. */
type Stated<T> = { readonly [K in keyof T]?: Exclude<T[K], null> };
export type TransparencyFacts = Stated<z.infer<typeof Facts>>;

export const factsTemplate = `# Facts that the daemon does not know. Leave out, or leave empty, what does not apply.
provider: # legal name of the provider; default: operator of the settings of the project
service: # name of the service; default: name of the project
publication_date: # YYYY-MM-DD
previous_publication_date:
human_resources: # people who moderate
  internal_moderators:
  external_moderators:
  languages: # moderators by language of the Union, such as
    # de: 2
out_of_court_disputes: # Article 21
  total:
  upheld:
  partially_reversed:
  reversed:
  omitted:
  median_hours:
  implemented_percent:
suspensions: # Article 23
  manifestly_illegal_content: # default: bans of accounts that rest on the law
  manifestly_unfounded_notices: # default: counted
  manifestly_unfounded_complaints: # default: counted
active_recipients_by_member_state: # such as
  # DE: 1200
own_initiative_summary:
own_initiative_information:
automated_means:
automated_means_accuracy:
automated_means_purposes:
automated_means_safeguards:
`;

const withoutNull = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .filter(([, one]) => one !== null)
          .map(([name, one]) => [name, withoutNull(one)]),
      );

/** Throws UsageError. */
export async function readFacts(path: string): Promise<TransparencyFacts> {
  const text = await readText(path);
  try {
    return Facts.parse(withoutNull(parse(text, { schema: 'core', maxAliasCount: 0 }) ?? {})) as TransparencyFacts;
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : cause instanceof Error ? cause.message : '';
    throw new UsageError(`${path} holds no facts: ${why}. \`--facts-template\` prints what it may hold.`, { cause });
  }
}
