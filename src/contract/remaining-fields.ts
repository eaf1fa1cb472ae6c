/**
 * What remains of an event's data when the person is erased whom it was about: of which kind it was, when, and what came of
 * it, so that figures are counted from it as before. Nothing that says whom it was about, or what they said or did.
 */

/** Fields by the first word of the event's type, of its `changes` too. A dot leads into an object. */
const remainingFields = {
  sanction: [
    ...(['type', 'sessionId', 'source', 'foundBy', 'decidedBy', 'caseId', 'category'] as const),
    ...(['ground.kind', 'template', 'endAt'] as const),
    ...(['createdByUserId', 'evidence.ruleId', 'revokedAt'] as const),
  ],
  review: ['kind', 'status', 'sanctionId', 'decision', 'decidedByUserId', 'createdAt', 'decidedAt'],
  report: [
    ...([
      'category',
      'source',
      'trustedFlagger',
      'roomId',
      'status',
      'caseId',
      'outcome',
      'createdAt',
      'receivedAt',
      'decidedAt',
      'decidedBy',
    ] as const),
    ...(['complainedAt', 'complaintDecision', 'complaintDecidedAt', 'complaintDecidedByUserId'] as const),
  ],
  case: ['category', 'reviews', 'status', 'decision', 'decidedByUserId', 'createdAt', 'decidedAt'],
  order: [
    ...(['kind', 'memberState', 'category', 'status', 'outcome'] as const),
    ...(['receivedAt', 'receiptConfirmedAt', 'decidedAt'] as const),
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
const pathsByKind: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(remainingFields));

type FirstWord<Path> = Path extends `${infer First}.${string}` ? First : Path;
type RemainingKind = keyof typeof remainingFields;
/** What can be read of the data, erased or not. */
export type Remaining<Data, K extends RemainingKind> = Pick<
  Data,
  FirstWord<(typeof remainingFields)[K][number]> & keyof Data
>;

type RemainingData = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is RemainingData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns those of the fields that remain of an event of this type, as they are. */
export function remainingOf(type: string, data: unknown): RemainingData {
  const paths: readonly string[] = pathsByKind.get(type.split('.')[0] ?? '') ?? [];
  const remaining: Record<string, unknown> = {};
  if (!isObject(data)) return remaining;
  for (const path of paths) {
    const [first = '', second] = path.split('.');
    if (!(first in data)) continue;
    const value = data[first];
    if (second === undefined || !isObject(value)) remaining[first] = value;
    else remaining[first] = second in value ? { [second]: value[second] } : {};
  }
  return remaining;
}
