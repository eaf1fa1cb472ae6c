/**
 * A ledger of four days of moderation, written by hand: 30 reports and 2 notices, 20 decisions on cases, 5 sanctions by keys
 * and rules, 6 appeals, 2 complaints of reporters and 3 erasures. Suites count by hand what is to come of it.
 */
import { expect } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionTemplateRoutes } from '../../src/contract/moderation/sanction-templates.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { caseRoutes, type DecideCaseRequest } from '../../src/contract/reports/cases.js';
import { orderRoutes } from '../../src/contract/reports/orders.js';
import { defaultCategories, reportSettingsRoutes } from '../../src/contract/reports/report-settings.js';
import { complaintRoutes, playerReportRoutes, reportRoutes } from '../../src/contract/reports/reports.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { colleague, colleaguePassword } from './console.js';
import type { TestDaemon } from './daemon.js';
import { eventually } from './eventually.js';

type Decider = 'ana' | 'ben' | 'key';
type Verdict = DecideCaseRequest;
type Measure = Verdict['sanction'] & object;

const week = 7 * 86_400;
const law = { kind: 'law', reference: 'Ann Example, file 4' } as const;
const violation = (sanction: Measure): Verdict => ({ decision: 'sanction', reasonCode: 'violation', sanction });
const illegal = (sanction: Measure): Verdict => ({ decision: 'sanction', reasonCode: 'illegal_content', sanction });
const none = (reasonCode: Verdict['reasonCode']): Verdict => ({ decision: 'no_action', reasonCode });

/** Reports come on 2 March at 10:00 (UTC), and are decided on by Ana at 12:00, by Ben at 14:00, and by the key at 20:00. */
const hourOfDecision = { ana: 12, ben: 14, key: 20 } as const;

/** The person of a case, the categories of its reports, who decides it, and what. */
const decided: readonly [person: string, categories: string, by: Decider, verdict: Verdict][] = [
  ['c01', 'harassment harassment harassment', 'ana', violation({ type: 'mute', duration: week })],
  ['c02', 'hate hate', 'ana', illegal({ type: 'temp_ban', duration: week, ground: law })],
  ['c03', 'spam spam', 'ana', violation({ type: 'warn' })],
  ['c04', 'threats threats', 'ben', violation({ type: 'perm_ban' })],
  ['c05', 'minors_safety minors_safety', 'ana', none('insufficient_evidence')],
  ['c06', 'cheating', 'key', violation({ type: 'temp_ban', duration: week })],
  ['c07', 'cheating', 'key', violation({ type: 'mute', duration: week, decidedBy: 'person' })],
  ['c08', 'spam', 'ana', violation({ type: 'mute' })], // sent again as minors_safety, half an hour later
  ['c09', 'spam spam', 'ana', none('unfounded_reports')],
  ['c10', 'harassment', 'ana', none('no_violation')],
  ['c14', 'harassment harassment', 'ana', violation({ type: 'mute', duration: week, template: 'harassment' })],
  [
    ...(['c15', 'other other', 'ben'] as const),
    violation({ type: 'queue_delay', duration: week, parameters: { delaySeconds: 60 } }),
  ],
  ['c20', 'spam spam', 'ana', violation({ type: 'mute', duration: week })], // taken back at 13:00, and decided again
];
const undecided: readonly [person: string, categories: string][] = [
  ['u1', 'harassment harassment'],
  ['u2', 'spam'],
  ['u3', 'cheating'],
];
const byPlayers = new Set(['c01', 'c05', 'c10']);

export class ModerationLedger {
  now = new Date('2026-03-01T21:00:00.000Z');
  /** Sanctions by what they are called here: the person's name. */
  readonly sanctions = new Map<string, string>();
  private readonly cases = new Map<string, string>();
  private readonly reports = new Map<string, string>();
  private sessionId = '';

  private constructor(private readonly daemon: TestDaemon) {}

  /** @param start starts the daemon with the clock of the ledger */
  static async open(start: (now: () => Date) => Promise<TestDaemon>) {
    const clock: { ledger?: ModerationLedger } = {};
    const daemon = await start(() => clock.ledger?.now ?? new Date('2026-03-01T21:00:00.000Z'));
    for (const name of ['ana', 'ben']) await colleague(daemon, 'moderator', name);
    const ledger = new ModerationLedger(daemon);
    clock.ledger = ledger;
    return { daemon, ledger };
  }

  async write(): Promise<void> {
    await this.prepare();
    await this.report();
    await this.imposeWithoutCase();
    await this.decide();
    await this.appealAndComplain();
    this.at('2026-03-04T20:00');
  }

  /** A person whose sanction is appealed against, one about whom reports are undecided, and a reporter who complained. */
  async erase(): Promise<void> {
    for (const user of ['c12', 'u1', 'by-c05-0'])
      await this.daemon.client.call(personRoutes.erase, { params: { ...this.params, user } });
  }

  private get params() {
    return { projectId: this.daemon.projectId };
  }
  private item = (id = '') => ({ params: { ...this.params, id } });
  private at(date: string): void {
    this.now = new Date(`${date}:00.000Z`);
  }

  private async prepare(): Promise<void> {
    const { params } = this;
    const { client } = this.daemon;
    const settings = { tokenProvider: 'embedded', gameName: 'Castle', operatorName: 'Castle Studio GmbH' } as const;
    await client.call(settingsRoutes.put, { params, body: settings });
    const categories = defaultCategories.map((one) => ({ ...one, goalHours: 1_000 }));
    await client.call(reportSettingsRoutes.update, { params, body: { categories } });
    const ground = { kind: 'terms', reference: 'Terms of use, 4.2', explanation: 'Insults hurt.' } as const;
    await client.call(sanctionTemplateRoutes.set, {
      params: { ...params, name: 'harassment' },
      body: { reason: 'Insults', ground },
    });
    const rule = (name: string, word: string, step: object) =>
      client.call(ruleRoutes.create, {
        params,
        body: {
          ...{ name, sanctionsPerHourMax: 100 },
          definition: {
            format: 1,
            mode: 'enforce',
            when: { all: [{ words: { any: [word] } }] },
            steps: [[step]],
          } as never,
        },
      });
    await rule('Toads', 'toad', { sanction: { type: 'mute', duration: week } });
    await rule('Frogs', 'frog', { review: { statement: 'Look at this.' } });
    const session = { title: 'Hall', externalRoomId: 'hall', autoStart: false };
    this.sessionId = (await client.call(sessionRoutes.create, { params, body: session })).id;
  }

  /** A person signs in for each act: between two of them are hours. */
  private async client(decider: Decider): Promise<EarshotClient> {
    if (decider === 'key') return this.daemon.client;
    const body = { email: `${decider}@example.com`, password: colleaguePassword };
    const { accessToken: token } = await new EarshotClient({ baseUrl: this.daemon.url }).call(
      accountRoutes.loginCredentials,
      { body },
    );
    return new EarshotClient({ baseUrl: this.daemon.url, credential: { kind: 'bearer', token } });
  }

  private say = (externalUserId: string, content: string) =>
    this.daemon.client.call(sessionRoutes.say, { ...this.item(this.sessionId), body: { externalUserId, content } });

  private async player(userId: string): Promise<EarshotClient> {
    const { token } = await this.daemon.client.call(playerRoutes.createToken, { params: { ...this.params, userId } });
    return new EarshotClient({ baseUrl: this.daemon.url, credential: { kind: 'bearer', token } });
  }

  private async reportOne(externalUserId: string, category: string, more: object = {}) {
    const body = { externalUserId, category, ...more };
    const { id, caseId } = await this.daemon.client.call(reportRoutes.create, { params: this.params, body });
    this.cases.set(externalUserId, caseId ?? '');
    return id;
  }

  private async report(): Promise<void> {
    const { id: threat } = await this.say('c16', 'I know where you live.'); // on 1 March
    this.at('2026-03-02T10:00');
    for (const [person, categories] of [...decided, ...undecided])
      for (const [index, category] of categories.split(' ').entries()) {
        const reporter = `by-${person}-${index}`;
        if (byPlayers.has(person)) {
          const body = { externalUserId: person, category };
          const { id } = await (await this.player(reporter)).call(playerReportRoutes.create, { body });
          const { caseId } = await this.daemon.client.call(reportRoutes.get, this.item(id));
          this.cases.set(person, caseId ?? '');
          if (index === 0) this.reports.set(person, id);
        } else {
          const roomId = person === 'c02' ? { roomId: 'arena' } : {};
          await this.reportOne(person, category, { reporterUserId: reporter, ...roomId });
        }
      }
    await this.reportOne('c11', 'hate', { notice: { from: 'mail', reference: '1' } });
    const received = { receivedAt: '2026-03-01T22:00:00.000Z', trustedFlagger: true };
    await this.reportOne('c12', 'threats', { notice: { from: 'Meldestelle', reference: '1', ...received } });
    await this.reportOne('c16', 'threats', { roomId: 'hall', evidence: { messageIds: [threat] } });
    const { caseId: ofRoom } = await this.daemon.client.call(reportRoutes.create, {
      params: this.params,
      body: { roomId: 'arena', category: 'harassment' },
    });
    this.cases.set('c17', ofRoom ?? '');
    await this.reportOne('c18', 'hate', { reporterUserId: 'by-c18-0' });
    const order = await this.daemon.client.call(orderRoutes.create, {
      params: this.params,
      body: {
        ...{ kind: 'act', authority: 'Court of Sometown', memberState: 'DE', reference: '26/1', category: 'hate' },
        ...{ legalGround: 'Criminal Code, section 130', externalUserId: 'c13' },
      },
    });
    this.cases.set('c13', order.caseId ?? '');
    await this.say('c19', 'a frog');
    const found = await eventually(async () => {
      const query = { externalUserId: 'c19' };
      const { cases } = await this.daemon.client.call(caseRoutes.list, { params: this.params, query });
      expect(cases).toHaveLength(1);
      return cases[0]?.id ?? '';
    });
    this.cases.set('c19', found);
    this.at('2026-03-02T10:30');
    await this.reportOne('c08', 'minors_safety', { reporterUserId: 'by-c08-0' });
    this.at('2026-03-02T11:00');
    const confirmed = { receiptConfirmedAt: this.now.toISOString() };
    await this.daemon.client.call(orderRoutes.update, { ...this.item(order.id), body: confirmed });
    this.at('2026-03-02T10:45');
  }

  /** Three sanctions by the key, and two by a rule. */
  private async imposeWithoutCase(): Promise<void> {
    const impose = async (externalUserId: string, body: Omit<CreateSanctionRequest, 'externalUserId'>) => {
      const { id } = await this.daemon.client.call(sanctionRoutes.create, {
        params: this.params,
        body: { externalUserId, ...body },
      });
      this.sanctions.set(externalUserId, id);
    };
    await impose('b1', { type: 'temp_ban', duration: week, template: 'harassment' });
    await impose('b2', { type: 'mute', duration: week, decidedBy: 'person', ground: law });
    await impose('b3', { type: 'shadow_mute', duration: week, source: 'report', reason: 'Ann Example again' });
    for (const person of ['b4', 'b5']) {
      await this.say(person, 'a toad');
      const id = await eventually(async () => {
        const query = { externalUserId: person };
        const { sanctions } = await this.daemon.client.call(sanctionRoutes.list, { params: this.params, query });
        expect(sanctions).toHaveLength(1);
        return sanctions[0]?.id ?? '';
      });
      this.sanctions.set(person, id);
    }
  }

  private async conclude(person: string, by: Decider, body: Verdict): Promise<void> {
    const at = this.item(this.cases.get(person));
    const { sanctionId } = await (await this.client(by)).call(caseRoutes.decide, { ...at, body });
    if (sanctionId !== null) this.sanctions.set(person, sanctionId);
  }

  private async decide(): Promise<void> {
    const { client } = this.daemon;
    const all: typeof decided = [
      ...decided,
      ['c11', '', 'ana', illegal({ type: 'shadow_mute', duration: week, ground: law })],
      ['c12', '', 'ben', illegal({ type: 'temp_ban', duration: week, ground: law })],
      ['c13', '', 'ana', illegal({ type: 'perm_ban' })],
      ['c16', '', 'ben', violation({ type: 'mute', duration: week })],
      ['c17', '', 'ben', none('no_violation')],
      ['c19', '', 'ana', violation({ type: 'mute', duration: week })],
    ];
    const hours = { ...hourOfDecision };
    for (const by of ['ana', 'ben', 'key'] as const) {
      this.at(`2026-03-02T${hours[by]}:00`);
      for (const [person, , decider, verdict] of all) if (decider === by) await this.conclude(person, by, verdict);
      if (by === 'ana') {
        this.at('2026-03-02T13:00');
        await (await this.client('ana')).call(caseRoutes.reopen, this.item(this.cases.get('c20')));
        await this.conclude('c20', 'ana', none('no_violation'));
      }
      if (by === 'ben') await this.proposeAndConfirm(client);
    }
  }

  /** The key proposes a permanent ban, and Ben confirms it. */
  private async proposeAndConfirm(client: EarshotClient): Promise<void> {
    const change = (confirmPermanentBans: boolean) =>
      client.call(reportSettingsRoutes.update, { params: this.params, body: { confirmPermanentBans } });
    await change(true);
    await this.conclude('c18', 'key', violation({ type: 'perm_ban' }));
    const at = this.item(this.cases.get('c18'));
    const { sanctionId } = await (await this.client('ben')).call(caseRoutes.confirm, { ...at, body: { agree: true } });
    this.sanctions.set('c18', sanctionId ?? '');
    await change(false);
  }

  private async appealAndComplain(): Promise<void> {
    this.at('2026-03-04T09:00');
    for (const person of ['c01', 'c04', 'b1', 'b4', 'c12', 'c07']) {
      const at = { params: { id: this.sanctions.get(person) ?? '' } };
      const body = { statement: 'Not me.' };
      await (await this.player(person)).call(statementRoutes.appealMine, { ...at, body });
    }
    const { reviews } = await this.daemon.client.call(reviewRoutes.list, {
      params: this.params,
      query: { kind: 'appeal' },
    });
    const appeals = new Map(reviews.map(({ externalUserId, id }) => [externalUserId ?? '', id]));
    for (const person of ['c05', 'c10']) {
      const at = { params: { id: this.reports.get(person) ?? '' } };
      const reporter = await this.player(`by-${person}-0`);
      await reporter.call(complaintRoutes.mine, { ...at, body: { statement: 'It did happen.' } });
    }
    const answer = async (by: Decider, person: string, decision: 'upheld' | 'overturned', more: object = {}) => {
      const at = this.item(appeals.get(person));
      const moderator = await this.client(by);
      await moderator.call(reviewRoutes.update, { ...at, body: { status: 'claimed' } });
      const body = { status: 'decided', decision, answer: 'Looked at again.', ...more } as const;
      await moderator.call(reviewRoutes.update, { ...at, body });
    };
    const reply = async (person: string, decision: 'upheld' | 'overturned') =>
      (await this.client('ben')).call(complaintRoutes.decide, {
        ...this.item(this.reports.get(person)),
        body: { decision, answer: 'Looked at again.' },
      });
    this.at('2026-03-04T12:00');
    await answer('ben', 'c01', 'upheld');
    await answer('ben', 'b4', 'upheld');
    await answer('ben', 'c07', 'upheld', { unfounded: true });
    await reply('c05', 'upheld');
    await reply('c10', 'overturned');
    this.at('2026-03-04T15:00');
    await answer('ana', 'c04', 'overturned');
    await answer('ana', 'b1', 'overturned');
    // The appeal of c12 stays undecided.
  }
}
