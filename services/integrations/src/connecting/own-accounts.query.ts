import {
  type FitnessAccount,
  type FitnessProvider,
  fitnessProviders,
  type FitnessStatus,
} from '@caravan/contracts/http/fitness';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountName } from '../ports.ts';
import { Imports } from '../ports.ts';
import { Providers } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';

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

/** A member's accounts at platforms. */
@Injectable()
export class OwnAccounts {
  constructor(
    @Inject(Rows) private readonly rows: Rows,
    @Inject(Providers) private readonly providers: Pick<Providers, 'of'>,
    @Inject(Imports) private readonly imports: Pick<Imports, 'figuresOf'>,
  ) {}

  async status(person: Person): Promise<FitnessStatus> {
    const rows = await this.rowsOf(person);
    const idAt = (name: FitnessProvider) =>
      rows.find(({ provider, state }) => provider === name && state === 'connected')?.providerUserId ?? null;
    const synced = rows.flatMap(({ lastSyncedAt }) => lastSyncedAt ?? []).toSorted((a, b) => b.getTime() - a.getTime());
    const [athleteId, fitbitUserId] = [idAt('strava'), idAt('fitbit')];
    return {
      strava: { connected: athleteId !== null, athleteId },
      fitbit: { connected: fitbitUserId !== null, userId: fitbitUserId },
      lastSyncDate: synced[0]?.toISOString() ?? null,
    };
  }

  async list(person: Person): Promise<FitnessAccount[]> {
    const rows = await this.rowsOf(person);
    return Promise.all(
      fitnessProviders.map((provider) => {
        const row = rows.find((one) => one.provider === provider);
        return this.describe({ ...person, provider }, row);
      }),
    );
  }

  async one(account: AccountName): Promise<FitnessAccount> {
    const row = (await this.rowsOf(account)).find(({ provider }) => provider === account.provider);
    return this.describe(account, row);
  }

  private rowsOf({ orgId, userId }: Person): Promise<Row[]> {
    return this.rows.of(orgId).providerAccount.findMany({ where: { orgId, userId }, select: shown });
  }

  private async describe({ orgId, userId, provider }: AccountName, row: Row | undefined): Promise<FitnessAccount> {
    const { audience, isSetUp } = this.providers.of(provider);
    const figures = await this.imports.figuresOf({ orgId, userId, provider });
    return {
      provider,
      state: row ? (row.state as 'connected' | 'reconnect') : isSetUp ? 'not-connected' : 'not-set-up',
      providerUserId: row?.providerUserId ?? null,
      connectedAt: row?.connectedAt.toISOString() ?? null,
      lastSyncedAt: row?.lastSyncedAt?.toISOString() ?? null,
      isScored: row?.isScored ?? false,
      audience,
      ...figures,
    };
  }
}
