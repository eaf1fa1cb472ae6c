/** What a sanction rests on, as its statement of reasons says it. */
import { z } from 'zod';

/** The source that brought it up: Regulation (EU) 2022/2065, Article 17(3)(b). */
export const StatementSource = z.enum(['own_initiative', 'report', 'order']);
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
