/** What a sanction rests on, as its statement of reasons says it. */
import { z } from 'zod';

/**
 * The source that brought it up: Regulation (EU) 2022/2065, Article 17(3)(b). `trusted_flagger`: a notice of one (Article
 * 22); `order`: of an authority (Article 9).
 */
export const StatementSource = z.enum(['own_initiative', 'report', 'trusted_flagger', 'order']);
export type StatementSource = z.infer<typeof StatementSource>;

/** Law or terms that it is against: Regulation (EU) 2022/2065, Article 17(3)(d) and (e). */
export const Ground = z
  .object({
    kind: z.enum(['law', 'terms']),
    reference: z.string().trim().min(1).max(500).describe('The law, or the section of the terms of use'),
    explanation: z.string().trim().min(1).max(1000).optional().describe('Why it is against that'),
  })
  .meta({ id: 'SanctionGround' });
export type Ground = z.infer<typeof Ground>;

const actors = ['person', 'program'] as const;
/** Who found it: Article 17(3)(c). */
export const FoundBy = z.enum(actors);
export type FoundBy = z.infer<typeof FoundBy>;
/** Who decided, as a caller may say it. */
export const DecidingActor = z.enum(actors);
/** Who decided: Article 17(3)(c). `both`: a program proposed it, and a person confirmed it. */
export const DecidedBy = z.enum([...actors, 'both']);
export type DecidedBy = z.infer<typeof DecidedBy>;

interface Imposed {
  readonly evidence?: { readonly ruleId?: string | undefined } | null;
  readonly createdByUserId?: string | null;
}

/** Who found and who decided, where an earlier version did not state it: a rule is in the evidence, and has no author. */
export function unstatedOrigin({ evidence, createdByUserId }: Imposed): { foundBy: FoundBy; decidedBy: DecidedBy } {
  const isOfRule = evidence?.ruleId !== undefined;
  return {
    foundBy: isOfRule ? 'program' : 'person',
    decidedBy: isOfRule && createdByUserId === null ? 'program' : 'person',
  };
}
