/** Statements of docs/functions.md about the status, changes and secrets, case by case. */
import { describe, expect, it } from 'vitest';
import { changed, missing, toSettings } from '../../daemon/modules/functions/rules.js';
import { emptyRow, type FunctionRow } from '../../daemon/modules/functions/store.js';
import { environmentNamesMax, type UpdateFunctionSettingsRequest } from '../../src/contract/functions/functions.js';

const now = new Date('2026-01-01T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const complete: FunctionRow = {
  ...emptyRow('p', ago(3_600)),
  enabled: true,
  provider: 'http',
  address: 'https://hosting.example/v1',
  credentials: 'sealed token',
  resourcePackageId: 'small',
  locationId: 'eu-1',
};
const active = { state: 'active', isHosted: true, activatedAt: ago(60) } as const;
const row = (fields: Partial<FunctionRow>): FunctionRow => ({ ...complete, ...fields });
const change = (fields: Partial<FunctionRow>, request: UpdateFunctionSettingsRequest) =>
  changed(row(fields), request, (value, field) => `${field}=${value}`, now);

describe('the status of functions', () => {
  it.each<[string, Partial<FunctionRow>, string | RegExp | null]>([
    ['ready', {}, null],
    ['incomplete', { enabled: false }, 'enabled is false'],
    ['incomplete', { address: null, locationId: null }, /^address is missing .*; locationId is missing/],
    ['incomplete', { state: 'failed', credentials: null }, /^credentials is missing/],
    ['changing', { state: 'changing', changingSince: ago(59) }, null],
    ['changing', { state: 'changing', changingSince: ago(1), isHosted: true, enabled: false }, null],
    ['failed', { state: 'changing', changingSince: ago(60) }, /^The last change was interrupted/],
    ['failed', { state: 'changing', changingSince: ago(3_600), isHosted: true }, /^The last change was interrupted/],
    ['active', active, null],
    ['outdated', { ...active, state: 'outdated' }, null],
    ['failed', { state: 'failed', message: 'eu-1 is sold out' }, 'eu-1 is sold out'],
    // They may still run there, so what is missing by now does not hide it.
    ['failed', { state: 'failed', isHosted: true, locationId: null, message: 'may run' }, 'may run'],
  ])('is %s with %o', (status, fields, message) => {
    const settings = toSettings(row(fields), now);
    expect(settings.status).toBe(status);
    if (message === null) expect(settings.statusMessage).toBeNull();
    else expect(settings.statusMessage).toMatch(message);
  });

  it('shows names of variables in order, and no secret', () => {
    const settings = toSettings(row({ environment: { B: 'sealed b', A: 'sealed a' } }), now);
    expect(settings).toMatchObject({ environment: ['A', 'B'], credentialsConfigured: true });
    expect(JSON.stringify(settings)).not.toContain('sealed');
  });
});

describe('what is missing', () => {
  it.each<['reach' | 'activation', Partial<FunctionRow>, string[]]>([
    ['reach', {}, []],
    ['reach', { enabled: false, resourcePackageId: null, locationId: null }, []],
    ['reach', { provider: null, address: null, credentials: null }, ['provider', 'address', 'credentials']],
    ['activation', { enabled: false, locationId: null }, ['enabled', 'locationId']],
  ])('for %s with %o', (purpose, fields, names) => {
    expect(missing(row(fields), purpose).map(({ path }) => path)).toEqual(names);
  });
});

describe('a change', () => {
  it.each<[string, Partial<FunctionRow>, UpdateFunctionSettingsRequest, string]>([
    ['stays what it is when nothing is sent', active, {}, 'active'],
    ['makes what runs outdated', active, { locationId: 'us-1' }, 'outdated'],
    ['makes what runs outdated', active, { resourcePackageId: 'large' }, 'outdated'],
    ['makes what runs outdated', active, { environment: { A: '1' } }, 'outdated'],
    ['makes what runs outdated', active, { environment: { A: null } }, 'outdated'],
    ['to the same value changes nothing', active, { locationId: 'eu-1' }, 'active'],
    ['leaves outdated what is', { ...active, state: 'outdated' }, { locationId: 'us-1' }, 'outdated'],
    [
      'clears a failure that left nothing behind',
      { state: 'failed', message: 'no' },
      { locationId: 'us-1' },
      'inactive',
    ],
    ['keeps a failure that may still run', { state: 'failed', isHosted: true }, { locationId: 'us-1' }, 'failed'],
  ])('%s', (_, before, request, state) => {
    expect(change(before, request)).toMatchObject({ state, updatedAt: now });
  });

  it('clears what is null, keeps what is left out, and seals what is secret', () => {
    const after = change(
      { environment: { KEPT: 'sealed kept', GONE: 'sealed gone' } },
      { resourcePackageId: null, credentials: { token: 't' }, environment: { GONE: null, NEW: 'v' } },
    );
    expect(after).toMatchObject({ resourcePackageId: null, locationId: 'eu-1', credentials: 'credentials=t' });
    expect(after.environment).toEqual({ KEPT: 'sealed kept', NEW: 'environment:NEW=v' });
  });

  const elsewhere = { address: 'https://other.example/v1' };
  const token = { credentials: { token: 'new' } };
  const withValue = { environment: { A: 'sealed a' } };
  it.each<[string, Partial<FunctionRow>, UpdateFunctionSettingsRequest]>([
    ['functions_active', active, { address: 'https://hosting.example/v2' }],
    ['functions_active', active, { provider: null }],
    ['functions_active', active, { credentials: null }],
    ['functions_active', { state: 'failed', isHosted: true }, elsewhere],
    ['secret_needed_again', {}, elsewhere],
    ['secret_needed_again', {}, { address: 'http://hosting.example/v1' }],
    ['secret_needed_again', {}, { address: 'https://hosting.example:8443/v1' }],
    ['secret_needed_again', {}, { address: null }],
    ['secret_needed_again', withValue, { ...elsewhere, ...token }],
    ['secret_needed_again', withValue, { ...elsewhere, credentials: null }],
    [
      'functions_environment_full',
      { environment: Object.fromEntries(Array.from({ length: environmentNamesMax }, (_, at) => [`V${at}`, 'sealed'])) },
      { environment: { ONE_MORE: '1' } },
    ],
  ])('is refused with %s', (code, before, request) => {
    expect(() => change(before, request)).toThrow(expect.objectContaining({ code }));
  });

  it.each<[string, Partial<FunctionRow>, UpdateFunctionSettingsRequest]>([
    ['to another path of the server', {}, { address: 'https://hosting.example/v2' }],
    ['to another server with every secret again', withValue, { ...elsewhere, ...token, environment: { A: 'a' } }],
    ['to another server without secrets', withValue, { ...elsewhere, credentials: null, environment: { A: null } }],
    ['to the first server', { address: null, credentials: null }, { ...elsewhere, ...token }],
    ['of the token while functions run', active, token],
  ])('goes through %s', (_, before, request) => {
    expect(() => change(before, request)).not.toThrow();
  });
});
