/** Search for gatherings. */
import { z } from 'zod';
import { ExternalUserId, madeQuery, PageQuery, QueryFlag } from '../common.js';

export const gatheringTypes = ['lobby', 'appointment', 'open'] as const;
export const GatheringType = z.enum(gatheringTypes);
export type GatheringType = z.infer<typeof GatheringType>;

const searchPropertiesMax = 20;

/** Properties that gatherings are searched by: flat, few, with plain values. */
export const SearchProperties = z
  .record(
    z.string().min(1).max(100),
    z.union([z.string().max(200), z.number(), z.boolean()]).meta({ id: 'SearchValue' }),
  )
  .refine((properties) => Object.keys(properties).length <= searchPropertiesMax, `at most ${searchPropertiesMax}`);
export type SearchProperties = z.infer<typeof SearchProperties>;

/** `pending` is CREATED, `active` is CREATED or STARTED. */
const statusFilters = ['pending', 'active', 'created', 'started', 'ended', 'cancelled', 'expired'] as const;
export const StatusFilter = z
  .string()
  .toLowerCase()
  .pipe(z.enum(statusFilters))
  .describe(`${statusFilters.join(', ')}; case is ignored`);
export type StatusFilter = z.infer<typeof StatusFilter>;

const WantedProperties = z
  .string()
  .max(4000)
  .transform((text, context): unknown => {
    try {
      const wanted: unknown = JSON.parse(text);
      // A schema leaves this name out, and a search without conditions finds everything.
      if (typeof wanted !== 'object' || wanted === null || !Object.hasOwn(wanted, '__proto__')) return wanted;
      context.addIssue({ code: 'custom', message: '__proto__ cannot be the name of a property' });
    } catch {
      context.addIssue({ code: 'custom', message: 'write a JSON object such as {"mode":"ranked"}' });
    }
    return z.NEVER;
  })
  .pipe(SearchProperties)
  .describe('JSON object: only gatherings whose searchProperties have all of these values');

export const GatheringListQuery = PageQuery.extend({
  type: GatheringType.optional(),
  status: StatusFilter.optional(),
  listed: QueryFlag.optional().describe('Only listed gatherings, or only unlisted ones'),
  searchProperties: WantedProperties.optional(),
  externalUserId: ExternalUserId.optional().describe('Only gatherings that this person is or was in'),
  ...madeQuery('gatherings created'),
});
export type GatheringListQuery = z.output<typeof GatheringListQuery>;
