/** The twelve calls that every generated client makes, in order; prints what it got as JSON. */
const given = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing.`);
  return value;
};
export const world = {
  url: given('DAEMON_URL'),
  apiKey: given('DAEMON_API_KEY'),
  projectId: given('DAEMON_PROJECT'),
  boardId: given('DAEMON_BOARD'),
  user: given('DAEMON_USER'),
};

/** Refusals return the status of the answer. */
export interface Calls {
  ready(): Promise<string | undefined>;
  participant(externalUserId: string): Promise<{ id: string; externalUserId: string | null } | undefined>;
  sanction(externalUserId: string): Promise<{ id: string; endAt: string | null; reason: string | null } | undefined>;
  page(externalUserId: string, limit: number): Promise<{ total: number; sanctions: unknown[] } | undefined>;
  revoke(id: string): Promise<string | undefined>;
  conflict(id: string, reason: string): Promise<number | undefined>;
  unknown(id: string): Promise<number | undefined>;
  event(userId: string, score: number): Promise<string | undefined>;
  score(userId: string): Promise<number | undefined>;
  upload(events: { user_id: string; event_name: string; metadata: { amount: number } }[]): Promise<number | undefined>;
  stranger(wrongKey: string): Promise<number | undefined>;
  remove(id: string): Promise<number | undefined>;
}

export async function make(calls: Calls): Promise<void> {
  const { user } = world;
  const ready = await calls.ready();
  const participant = await calls.participant(user);
  const sanction = await calls.sanction(user);
  const page = await calls.page(user, 1);
  const id = sanction?.id ?? '';
  const made = {
    ready,
    participant: participant?.externalUserId,
    permanent: sanction?.endAt === null && sanction.reason === null,
    page: [page?.total, page?.sanctions.length],
    revoked: await calls.revoke(id),
    conflict: await calls.conflict(id, 'too late'),
    unknown: await calls.unknown('00000000-0000-7000-8000-000000000000'),
    event: await calls.event(user, 3_000_000_000),
    score: await calls.score(user),
    upload: await calls.upload(
      Array.from({ length: 200 }, () => ({ user_id: user, event_name: 'kill-enemy', metadata: { amount: 1 } })),
    ),
    stranger: await calls.stranger('earshot_live_wrong'),
    removed: await calls.remove(participant?.id ?? ''),
  };
  console.log(JSON.stringify(made));
}

/** Status of the refusal that a client throws. */
export const statusOf = (call: Promise<unknown>): Promise<number | undefined> =>
  call.then(
    () => undefined,
    (error: { status?: number; response?: { status: number } }) => error.status ?? error.response?.status,
  );
