import {
  type FitnessAccount,
  type FitnessProvider,
  fitnessProviders,
  type FitnessStatus,
} from '@caravan/contracts/http/fitness';
import type { AccountName, Imports } from '../ports.ts';
import type { Providers } from '../providers/index.ts';
import type { Rows } from '../rows/index.ts';

type Person = { readonly orgId: string; readonly userId: string };
type Row = {
  readonly provider: string;
  readonly providerUserId: string;
  readonly state: string;
  readonly isScored: boolean;
  readonly connectedAt: Date;
  readonly lastSyncedAt: Date | null;
};

const shown = {
  provider: true,
  providerUserId: true,
  state: true,
  isScored: true,
  connectedAt: true,
  lastSyncedAt: true,
} as const;

type Sources = {
  readonly rows: Pick<Rows, 'of'>;
  readonly providers: Pick<Providers, 'of'>;
  readonly imports: Pick<Imports, 'figuresOf'>;
};

export async function fitnessStatusOf(rows: Pick<Rows, 'of'>, person: Person): Promise<FitnessStatus> {
  const accounts = await accountRows(rows, person);
  const idAt = (name: FitnessProvider) =>
    accounts.find(({ provider, state }) => provider === name && state === 'connected')?.providerUserId ?? null;
  const synced = accounts
    .flatMap(({ lastSyncedAt }) => lastSyncedAt ?? [])
    .toSorted((a, b) => b.getTime() - a.getTime());
  const athleteId = idAt('strava');
  const fitbitUserId = idAt('fitbit');
  return {
    strava: { connected: athleteId !== null, athleteId },
    fitbit: { connected: fitbitUserId !== null, userId: fitbitUserId },
    lastSyncDate: synced[0]?.toISOString() ?? null,
  };
}

export async function accountsOf(sources: Sources, person: Person): Promise<FitnessAccount[]> {
  const rows = await accountRows(sources.rows, person);
  return Promise.all(
    fitnessProviders.map((provider) => {
      const row = rows.find((one) => one.provider === provider);
      return describe(sources, { ...person, provider }, row);
    }),
  );
}

export async function accountOf(sources: Sources, account: AccountName): Promise<FitnessAccount> {
  const row = (await accountRows(sources.rows, account)).find(({ provider }) => provider === account.provider);
  return describe(sources, account, row);
}

function accountRows(rows: Pick<Rows, 'of'>, { orgId, userId }: Person): Promise<Row[]> {
  return rows.of(orgId).providerAccount.findMany({ where: { orgId, userId }, select: shown });
}

async function describe(
  { providers, imports }: Sources,
  { orgId, userId, provider }: AccountName,
  row: Row | undefined,
): Promise<FitnessAccount> {
  const { audience, isSetUp } = providers.of(provider);
  const figures = await imports.figuresOf({ orgId, userId, provider });
  const stateWithout = isSetUp ? 'not-connected' : 'not-set-up';
  return {
    provider,
    state: row ? (row.state as 'connected' | 'reconnect') : stateWithout,
    providerUserId: row?.providerUserId ?? null,
    connectedAt: row?.connectedAt.toISOString() ?? null,
    lastSyncedAt: row?.lastSyncedAt?.toISOString() ?? null,
    isScored: row?.isScored ?? false,
    audience,
    ...figures,
  };
}
