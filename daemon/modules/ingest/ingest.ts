/** Signed events of platform services: checked and appended to the log. */
import { createHash } from 'node:crypto';
import { DomainError } from '../../../src/contract/errors.js';
import { isReserved } from '../../../src/contract/events.js';
import { type IngestEventDto, ingestAheadMs } from '../../../src/contract/ingest/ingest.js';
import { freshnessMs, verify } from '../../../src/signing/signing.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { SignedRequest } from '../../platform/http/authentication.js';
import type { ServiceCaller } from '../../platform/http/caller.js';
import { limits } from '../../platform/limits/catalogue.js';
import { WindowCounter } from '../../platform/limits/window-counter.js';
import type { Clock } from '../../platform/time/clock.js';
import { minuteMs } from '../../platform/time/spans.js';
import type { SettingsService } from '../projects/settings/service.js';
import type { ProjectStore } from '../projects/store.js';
import type { ReceiptStore } from './receipt-store.js';

interface SigningProjects {
  readonly store: Pick<ProjectStore, 'byBillingId'>;
  readonly settings: Pick<SettingsService, 'signingSecrets'>;
}

/** Receipts are kept as long as a signature counts as fresh. */
const receiptMs = 2 * freshnessMs;
/** Used for unknown projects, so that they take as much time as known ones. */
const decoySecret = createHash('sha256').update('no project').digest('hex');

export class IngestService {
  private readonly accepted: WindowCounter;
  private readonly failed = new WindowCounter('ingest_failures', {
    max: limits.ingest_failures.max,
    windowMs: minuteMs,
  });

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly receipts: ReceiptStore,
    private readonly projects: SigningProjects,
    private readonly now: Clock,
    /** Milliseconds of a clock that never goes back, for counting the rate. */
    elapsedMs: () => number = () => performance.now(),
  ) {
    this.accepted = new WindowCounter('ingested_events', {
      max: limits.ingested_events.max,
      windowMs: 1_000,
      rolling: true,
      now: elapsedMs,
    });
  }

  /**
   * Throws reserved_type, validation_failed, rate_limited. A repeated signature is answered with the first event's id.
   */
  async ingest(event: IngestEventDto, caller: ServiceCaller): Promise<{ id: string }> {
    if (isReserved(event.type)) throw new DomainError('reserved_type');
    const { timestamp } = event;
    if (timestamp !== undefined && Date.parse(timestamp) > this.now().getTime() + ingestAheadMs) throw tooFarAhead();
    const earlier = await this.receipts.eventId(caller.credentialId);
    if (earlier !== null) return { id: earlier };
    this.accepted.consume(caller.projectId);
    return this.database.transaction((tx) => this.store(tx, event, caller));
  }

  private async store(
    tx: Transaction,
    { type, source, resourceId, data, timestamp }: IngestEventDto,
    { projectId, tenantId, credentialId: receipt }: ServiceCaller,
  ): Promise<{ id: string }> {
    const known = await this.receipts.eventId(receipt, tx);
    if (known !== null) return { id: known };
    const [stored] = await this.log.append(tx, {
      type,
      source,
      tenantId,
      projectId,
      resourceId,
      action: 'occurred',
      data,
      timestamp: timestamp === undefined ? this.now() : new Date(timestamp),
    });
    if (stored === undefined) throw new Error('The log stored nothing.');
    const createdAt = this.now();
    await this.receipts.forgetBefore(tx, new Date(createdAt.getTime() - receiptMs));
    await this.receipts.insert(tx, { id: receipt, eventId: stored.id, createdAt });
    return { id: stored.id };
  }

  /** Returns the signer of the request. Throws signature_invalid, rate_limited. */
  async verify({ timestamp, signature, billingProjectId, rawBody, address }: SignedRequest): Promise<ServiceCaller> {
    const project = await this.projects.store.byBillingId(billingProjectId);
    const secrets = project === null ? [] : await this.projects.settings.signingSecrets(project.id);
    const now = this.now();
    const isBy = (secret: string) => verify(secret, timestamp, signature, rawBody, now);
    const isValid = (secrets.length === 0 ? [decoySecret] : secrets).map(isBy).includes(true);
    if (project === null || secrets.length === 0 || !isValid) {
      this.failed.consume(address);
      throw new DomainError('signature_invalid');
    }
    const { id: projectId, tenantId } = project;
    const credentialId = createHash('sha256')
      .update(`${projectId}\0${timestamp}\0${signature.toLowerCase()}`)
      .digest('hex');
    return { kind: 'service', id: projectId, tenantId, projectId, credentialId };
  }
}

const tooFarAhead = () =>
  new DomainError('validation_failed', {
    details: [{ path: 'body.timestamp', message: "is more than five minutes ahead of the daemon's clock" }],
  });
