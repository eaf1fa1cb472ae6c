/**
 * Settings of functions, and their activation by the hosting API. The row says that the API is being asked before it is
 * asked, so that two changes never run side by side, and a change that is interrupted is seen as such. Where nobody knows
 * what the API has done, the change is undone there, and the row says whether that worked.
 */
import type { ErrorCode } from '../../../src/contract/error-catalogue.js';
import { DomainError } from '../../../src/contract/errors.js';
import type {
  FunctionSettings,
  Location,
  ResourcePackage,
  UpdateFunctionSettingsRequest,
  VerifyCredentialsResponse,
} from '../../../src/contract/functions/functions.js';
import type { Database } from '../../platform/database/database.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { SecretBox } from '../../platform/secrets/secret-box.js';
import type { Clock } from '../../platform/time/clock.js';
import { type Activation, type Hosting, type HostingApi, HostingFailure } from './hosting-api.js';
import { changed, environmentField, isChanging, missing, toSettings } from './rules.js';
import { emptyRow, type FunctionRow, type FunctionStore } from './store.js';

/** Shorter values are not removed from what the hosting API says: they are no secrets, and occur in many words. */
const secretCharactersMin = 4;

interface FunctionServiceNeeds {
  readonly database: Database;
  readonly functions: FunctionStore;
  readonly hosting: HostingApi;
  readonly box: SecretBox;
  readonly logger: Logger;
  readonly now: Clock;
}

export class FunctionService {
  constructor(private readonly needs: FunctionServiceNeeds) {}

  async get(projectId: string): Promise<FunctionSettings> {
    return toSettings(await this.row(projectId), this.needs.now());
  }

  /**
   * Changes what is sent. `enabled: false` deactivates first; when that fails, nothing is changed. Throws
   * functions_changing, functions_active, secret_needed_again, functions_environment_full, and as `activate` does.
   */
  async update(projectId: string, request: UpdateFunctionSettingsRequest): Promise<FunctionSettings> {
    const seal = (value: string, field: string) => this.needs.box.seal(value, context(projectId, field));
    const current = await this.row(projectId);
    if (request.enabled === false && current.isHosted) {
      changed({ ...current, isHosted: false }, request, seal, this.needs.now()); // refused before anything is done
      await this.deactivate(projectId);
    }
    return this.change(projectId, (before) => {
      if (isChanging(before, this.needs.now())) throw new DomainError('functions_changing');
      return changed(before, request, seal, this.needs.now());
    });
  }

  async verify(projectId: string): Promise<VerifyCredentialsResponse> {
    const row = await this.row(projectId);
    const absent = missing(row, 'reach');
    if (absent.length > 0)
      return { valid: false, message: `${absent.map(({ path, message }) => `${path} ${message}`).join('; ')}.` };
    try {
      return {
        valid: true,
        message: `The credentials belong to ${await this.needs.hosting.account(this.hostingOf(row))}.`,
      };
    } catch (error) {
      if (error instanceof HostingFailure) return { valid: false, message: error.message };
      throw error;
    }
  }

  resourcePackages = (projectId: string): Promise<ResourcePackage[]> =>
    this.asked(projectId, (at) => this.needs.hosting.resourcePackages(at));

  locations = (projectId: string): Promise<Location[]> =>
    this.asked(projectId, (at) => this.needs.hosting.locations(at));

  /** Throws functions_not_configured, functions_changing, and the error for what the hosting API refused. */
  async activate(projectId: string): Promise<FunctionSettings> {
    const before = await this.begin(projectId, 'activation');
    try {
      await this.needs.hosting.activate(this.hostingOf(before), projectId, this.activationOf(before));
    } catch (error) {
      await this.failed(before, error);
      throw refusalOf(error, 'functions_activation_refused');
    }
    return this.finish(projectId, {
      state: 'active',
      isHosted: true,
      message: null,
      activatedAt: this.needs.now(),
      changingSince: null,
    });
  }

  /** Called before the project is removed. A failure is logged for the operator and does not stop the removal. */
  async close(projectId: string): Promise<void> {
    if ((await this.needs.functions.find(projectId))?.isHosted !== true) return;
    try {
      await this.deactivate(projectId);
    } catch (error) {
      this.needs.logger.warn(
        { err: error, projectId },
        'functions of a deleted project may still run at the hosting API',
      );
      await this.finish(projectId, { isHosted: false });
    }
  }

  private async deactivate(projectId: string): Promise<void> {
    const before = await this.begin(projectId, 'reach');
    try {
      await this.needs.hosting.deactivate(this.hostingOf(before), projectId);
    } catch (error) {
      await this.finish(projectId, { state: 'failed', message: messageOf(error), changingSince: null });
      throw refusalOf(error);
    }
    await this.finish(projectId, {
      state: 'inactive',
      isHosted: false,
      message: null,
      activatedAt: null,
      changingSince: null,
    });
  }

  /** The row as it was before it said that the hosting API is being asked. */
  private async begin(projectId: string, purpose: 'reach' | 'activation'): Promise<FunctionRow> {
    let begun = emptyRow(projectId, this.needs.now());
    await this.change(projectId, (before) => {
      if (isChanging(before, this.needs.now())) throw new DomainError('functions_changing');
      const absent = missing(before, purpose);
      if (absent.length > 0) throw new DomainError('functions_not_configured', { details: absent });
      begun = before;
      // Should the daemon stop now, the API may have been reached.
      return { ...before, state: 'changing', isHosted: true, changingSince: this.needs.now() };
    });
    return begun;
  }

  /**
   * Functions that ran before keep running with their earlier settings; otherwise the activation is undone, unless the
   * API refused it.
   */
  private async failed(before: FunctionRow, error: unknown): Promise<void> {
    const isKnown = error instanceof HostingFailure && error.kind !== 'unavailable';
    const isRunning = before.isHosted || !(isKnown || (await this.undone(before)));
    const wasActive = before.isHosted && (before.state === 'active' || before.state === 'outdated');
    const note = isRunning && !wasActive ? ' It may run the functions: activate again, or deactivate.' : '';
    await this.finish(before.projectId, {
      state: wasActive ? 'outdated' : 'failed',
      isHosted: isRunning,
      message: `${messageOf(error)}${note}`,
      changingSince: null,
    });
  }

  private async undone(before: FunctionRow): Promise<boolean> {
    try {
      await this.needs.hosting.deactivate(this.hostingOf(before), before.projectId);
      return true;
    } catch (error) {
      if (error instanceof HostingFailure) return false;
      throw error;
    }
  }

  private async asked<T>(projectId: string, ask: (at: Hosting) => Promise<T>): Promise<T> {
    const row = await this.row(projectId);
    const absent = missing(row, 'reach');
    if (absent.length > 0) throw new DomainError('functions_not_configured', { details: absent });
    try {
      return await ask(this.hostingOf(row));
    } catch (error) {
      throw refusalOf(error);
    }
  }

  private async row(projectId: string): Promise<FunctionRow> {
    return (await this.needs.functions.find(projectId)) ?? emptyRow(projectId, this.needs.now());
  }

  private async change(projectId: string, of: (before: FunctionRow) => FunctionRow): Promise<FunctionSettings> {
    // Returns the row, not the settings: the result of a transaction is stored as the answer of its request.
    const row = await this.needs.database.transaction(async (tx) => {
      const row = of((await this.needs.functions.lock(tx, projectId)) ?? emptyRow(projectId, this.needs.now()));
      await this.needs.functions.save(tx, row);
      return row;
    });
    return toSettings(row, this.needs.now());
  }

  private finish(projectId: string, fields: Partial<FunctionRow>): Promise<FunctionSettings> {
    return this.change(projectId, (before) => ({ ...before, ...fields, updatedAt: this.needs.now() }));
  }

  /** Returns the hosting of a row in which nothing is missing. */
  private hostingOf(row: FunctionRow): Hosting {
    const token = this.opened(row, 'credentials', row.credentials);
    const values = Object.values(this.environmentOf(row)).filter(({ length }) => length >= secretCharactersMin);
    return { address: present(row.address), token, secrets: [token, ...values] };
  }

  private activationOf(row: FunctionRow): Activation {
    return {
      resourcePackageId: present(row.resourcePackageId),
      locationId: present(row.locationId),
      environment: this.environmentOf(row),
    };
  }

  private environmentOf(row: FunctionRow): Record<string, string> {
    const values = Object.entries(row.environment).map(([name, value]) => [
      name,
      this.opened(row, environmentField(name), value),
    ]);
    return Object.fromEntries(values);
  }

  private opened = ({ projectId }: FunctionRow, field: string, sealed: string | null): string =>
    this.needs.box.open(present(sealed), context(projectId, field));
}

const context = (projectId: string, field: string): string => `functions:${projectId}:${field}`;

function present(value: string | null): string {
  if (value === null) throw new Error('Settings of functions were used before they were complete.');
  return value;
}

const messageOf = (error: unknown): string =>
  error instanceof HostingFailure ? error.message : 'Something went wrong here.';

/** The error that the caller gets; unknown errors stay as they are. */
function refusalOf(error: unknown, refused: ErrorCode = 'functions_provider_unavailable'): unknown {
  if (!(error instanceof HostingFailure)) return error;
  const codes: Readonly<Record<HostingFailure['kind'], ErrorCode>> = {
    credentials: 'functions_credentials_refused',
    unavailable: 'functions_provider_unavailable',
    refused,
  };
  return new DomainError(codes[error.kind], { details: [{ path: 'address', message: error.message }] });
}
