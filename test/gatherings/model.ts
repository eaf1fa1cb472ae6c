/** Model of gatherings by the documents, as plain as it gets: no database, no events, every rule once. */
export type Step =
  | {
      do: 'create';
      type: 'lobby' | 'appointment';
      seats: number;
      inviteOnly: boolean;
      owner: number | null;
      inHours: number | null;
      forHours: number | null;
    }
  | { do: 'join' | 'leave'; at: number; who: number }
  | { do: 'add'; at: number; who: number; role: 'owner' | 'member' }
  | { do: 'role'; at: number; who: number; role: 'owner' | 'member' }
  | { do: 'ready'; at: number; who: number; ready: boolean }
  | { do: 'invite'; at: number; whom: number[]; forHours: number }
  | { do: 'accept'; nth: number; who: number | null }
  | { do: 'decline'; nth: number }
  | { do: 'resize'; at: number; seats: number }
  | { do: 'give'; at: number; who: number }
  | { do: 'start' | 'end' | 'cancel'; at: number }
  | { do: 'wait'; hours: number; jobs: boolean };

/** `ok`, or the code of the refusal. */
export type ExpectedOutcome = string;

interface Member {
  status: 'invited' | 'joined' | 'ready' | 'left';
  joinedAt: number;
  /** Order in which rows were made: settles ties. */
  row: number;
}

interface Invitation {
  readonly group: Group;
  readonly who: number;
  readonly expiresAt: number;
  status: 'pending' | 'accepted' | 'declined';
}

interface Group {
  readonly type: 'lobby' | 'appointment';
  readonly inviteOnly: boolean;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  status: string;
  seats: number;
  owner: number | null;
  emptySince: number | null;
  readonly members: Map<number, Member>;
}

export const hourMs = 3_600_000;
const hasSeat = (member: Member | undefined): boolean => member?.status === 'joined' || member?.status === 'ready';
const isOpen = ({ status }: Group): boolean => status === 'CREATED' || status === 'STARTED';
const count = ({ members }: Group): number => [...members.values()].filter(hasSeat).length;

export class Model {
  readonly groups: Group[] = [];
  readonly invitations: Invitation[] = [];
  private rows = 0;

  constructor(public now: number) {}

  can(step: Step): boolean {
    if ('at' in step) return this.groups.length > 0;
    return 'nth' in step ? this.invitations.length > 0 : true;
  }

  do(step: Step): ExpectedOutcome {
    this.now += 1;
    switch (step.do) {
      case 'create':
        return this.create(step);
      case 'join':
        return this.seat(this.group(step.at), step.who, true);
      case 'add':
        return this.add(this.group(step.at), step.who, step.role);
      case 'leave':
        return this.leave(this.group(step.at), step.who);
      case 'ready':
      case 'role':
        return this.change(this.group(step.at), step.who, step);
      case 'invite':
        return this.invite(this.group(step.at), step.whom, this.now + step.forHours * hourMs);
      case 'accept':
        return this.accept(this.invitation(step.nth), step.who);
      case 'decline':
        return this.decline(this.invitation(step.nth));
      case 'resize':
        return this.resize(this.group(step.at), step.seats);
      case 'give':
        return this.give(this.group(step.at), step.who);
      case 'wait':
        this.now += step.hours * hourMs;
        if (step.jobs) this.runJobs();
        return 'ok';
      default:
        return this.move(this.group(step.at), step.do);
    }
  }

  group = (at: number): Group => this.nth(this.groups, at);
  invitation = (nth: number): Invitation => this.nth(this.invitations, nth);

  /** Returns a group as anybody sees it. */
  seen(group: Group) {
    return {
      status: group.status,
      maxMembers: group.seats,
      memberCount: count(group),
      owner: group.owner,
      expiresAt: this.expiresAt(group),
      members: Object.fromEntries(
        [...group.members].filter(([, { status }]) => status !== 'left').map(([who, { status }]) => [who, status]),
      ),
      invitations: this.invitations
        .filter((one) => one.group === group)
        .map((one) => (one.status === 'pending' && one.expiresAt <= this.now ? 'declined' : one.status)),
    };
  }

  private create({ type, seats, inviteOnly, owner, inHours, forHours }: Step & { do: 'create' }): ExpectedOutcome {
    const startsAt = inHours === null ? null : this.now + inHours * hourMs;
    const endsAt = forHours === null ? null : (startsAt ?? this.now) + forHours * hourMs;
    const group = { type, inviteOnly, startsAt, endsAt, seats, owner, status: 'CREATED', emptySince: this.now };
    this.groups.push({ ...group, members: new Map() });
    return owner === null ? 'ok' : this.seat(this.group(this.groups.length - 1), owner, false);
  }

  private seat(group: Group, who: number, byCode: boolean): ExpectedOutcome {
    if (!isOpen(group)) return 'gathering_closed';
    const member = group.members.get(who);
    const open = this.openTo(group, who);
    if (!hasSeat(member)) {
      if (count(group) >= group.seats) return 'gathering_full';
      if (byCode && group.inviteOnly && open.length === 0) return 'gathering_invite_only';
      group.members.set(who, { status: 'joined', joinedAt: this.now, row: member?.row ?? this.newRow() });
      group.emptySince = null;
      group.owner ??= who;
    }
    for (const one of open) one.status = 'accepted';
    return 'ok';
  }

  private add(group: Group, who: number, role: 'owner' | 'member'): ExpectedOutcome {
    const outcome = this.seat(group, who, false);
    if (outcome === 'ok' && role === 'owner') group.owner = who;
    return outcome;
  }

  private leave(group: Group, who: number): ExpectedOutcome {
    const member = group.members.get(who);
    if (member === undefined || member.status === 'left') return 'member_not_found';
    if (!isOpen(group)) return 'gathering_closed';
    this.withdraw(this.pendingTo(group, who));
    if (!hasSeat(member)) return 'ok';
    member.status = 'left';
    if (count(group) === 0) group.emptySince = this.now;
    if (group.owner === who) group.owner = this.longest(group, who);
    return 'ok';
  }

  private change(group: Group, who: number, step: Step & { do: 'ready' | 'role' }): ExpectedOutcome {
    const member = group.members.get(who);
    if (member === undefined || member.status === 'left') return 'member_not_found';
    if (!isOpen(group)) return 'gathering_closed';
    if (!hasSeat(member)) return 'member_change_invalid';
    if (step.do === 'ready') member.status = step.ready ? 'ready' : 'joined';
    else if ((group.owner === who) !== (step.role === 'owner')) {
      const owner = step.role === 'owner' ? who : this.longest(group, who);
      if (owner === null) return 'owner_required';
      group.owner = owner;
    }
    return 'ok';
  }

  private invite(group: Group, whom: number[], expiresAt: number): ExpectedOutcome {
    if (!isOpen(group)) return 'gathering_closed';
    for (const who of new Set(whom)) {
      if (this.openTo(group, who).length > 0) continue;
      this.invitations.push({ group, who, expiresAt, status: 'pending' });
      const member = group.members.get(who);
      if (member === undefined || member.status === 'left')
        group.members.set(who, { status: 'invited', joinedAt: 0, row: member?.row ?? this.newRow() });
    }
    return 'ok';
  }

  private accept(invitation: Invitation, who: number | null): ExpectedOutcome {
    if (who !== null && who !== invitation.who) return 'invitation_not_yours';
    if (!this.isPending(invitation)) return 'invitation_closed';
    return this.seat(invitation.group, invitation.who, false);
  }

  private decline(invitation: Invitation): ExpectedOutcome {
    if (!this.isPending(invitation)) return 'invitation_closed';
    this.withdraw([invitation]);
    return 'ok';
  }

  private resize(group: Group, seats: number): ExpectedOutcome {
    if (!isOpen(group)) return 'gathering_closed';
    if (seats < count(group)) return 'gathering_too_small';
    group.seats = seats;
    return 'ok';
  }

  private give(group: Group, who: number): ExpectedOutcome {
    if (!isOpen(group)) return 'gathering_closed';
    if (!hasSeat(group.members.get(who))) return 'member_not_found';
    group.owner = who;
    return 'ok';
  }

  private move(group: Group, move: 'start' | 'end' | 'cancel' | 'expire'): ExpectedOutcome {
    const then = { start: 'STARTED', end: 'ENDED', cancel: 'CANCELLED', expire: 'EXPIRED' }[move];
    if (group.status === then && (move === 'start' || move === 'end')) return 'ok';
    if (!isOpen(group)) return 'gathering_closed';
    group.status = then;
    if (!isOpen(group))
      this.withdraw(this.invitations.filter((one) => one.group === group && one.status === 'pending'));
    return 'ok';
  }

  private runJobs(): void {
    for (const group of this.groups) {
      const expires = this.expiresAt(group);
      const isDate = group.type === 'appointment';
      if (expires !== null && expires <= this.now) this.move(group, 'expire');
      else if (isDate && group.status === 'CREATED' && group.startsAt !== null && group.startsAt <= this.now)
        this.move(group, 'start');
      else if (isDate && group.status === 'STARTED' && group.endsAt !== null && group.endsAt + hourMs <= this.now)
        this.move(group, 'end');
    }
    for (const one of this.invitations) if (one.status === 'pending' && one.expiresAt <= this.now) this.withdraw([one]);
  }

  private expiresAt({ type, status, startsAt, endsAt, emptySince }: Group): number | null {
    if (status !== 'CREATED') return null;
    if (type === 'appointment' && endsAt !== null) return endsAt + hourMs;
    if (type === 'appointment' && startsAt !== null) return startsAt + 24 * hourMs;
    return emptySince === null ? null : emptySince + 24 * hourMs;
  }

  private withdraw(invitations: Invitation[]): void {
    for (const one of invitations) one.status = 'declined';
    for (const { group, who } of invitations)
      if (group.members.get(who)?.status === 'invited' && this.pendingTo(group, who).length === 0)
        group.members.delete(who);
  }

  private longest(group: Group, besides: number): number | null {
    const others = [...group.members].filter(([who, member]) => who !== besides && hasSeat(member));
    others.sort(([, a], [, b]) => a.joinedAt - b.joinedAt || a.row - b.row);
    return others[0]?.[0] ?? null;
  }

  private isPending = ({ status, expiresAt }: Invitation): boolean => status === 'pending' && expiresAt > this.now;
  private openTo = (group: Group, who: number): Invitation[] => this.pendingTo(group, who).filter(this.isPending);
  private pendingTo = (group: Group, who: number): Invitation[] =>
    this.invitations.filter((one) => one.group === group && one.who === who && one.status === 'pending');
  private newRow = (): number => (this.rows += 1);

  private nth<T>(all: readonly T[], index: number): T {
    const one = all[index % all.length];
    if (one === undefined) throw new Error('There is none yet.');
    return one;
  }
}
