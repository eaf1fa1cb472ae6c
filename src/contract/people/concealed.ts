/**
 * What an export of a person leaves out because it would warn them: orders of authorities and legal holds. What else is stored about
 * them is in it.
 */

/** Types of events about orders. */
export const concealedEvents: readonly string[] = ['order.created', 'order.updated'];
/** Operations on orders and legal holds. */
export const concealedOperations: readonly string[] = ['createOrder', 'updateOrder', 'holdCase', 'liftCaseHold'];
/** Fields of a case that show an order or a legal hold. */
const concealedFields = ['orders', 'heldAt', 'heldByUserId', 'holdReason', 'rank', 'dueAt', 'missedAt'];

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Leaves the concealed fields out of a case, or out of an event about one: its data and its changes. */
export function withoutConcealed(of: unknown): Readonly<Record<string, unknown>> {
  if (!isFields(of)) return {};
  const rest = Object.entries(of).filter(([name]) => !concealedFields.includes(name));
  const nested = ['payload', 'data', 'changes'];
  return Object.fromEntries(
    rest.map(([name, value]) => [name, nested.includes(name) && isFields(value) ? withoutConcealed(value) : value]),
  );
}
