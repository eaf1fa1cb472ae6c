/** What somebody decides who looks at a decision again. */
import { z } from 'zod';

export const ReviewDecision = z.enum(['upheld', 'overturned']);
export type ReviewDecision = z.infer<typeof ReviewDecision>;

/** Characters of what somebody says against a decision: an appeal, or the complaint of a reporter. */
export const statementMax = 4_000;
