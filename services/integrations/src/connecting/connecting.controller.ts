import { OpenToGuests, Public } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { cookieOf, type ProductCookie } from '@caravan/auth/cookies';
import * as contract from '@caravan/contracts/http/fitness';
import { allowWrites } from '@caravan/event-store/postgres/reading';
import { Rejected } from '@caravan/kernel/rejected';
import { Env } from '@caravan/service-kit/process/env';
import { ValidBody, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Delete, Get, Headers, Inject, Patch, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { ConnectedAccounts } from './connected-accounts.service.ts';
import { Connecting } from './connecting.service.ts';
import { Disconnecting } from './disconnecting.service.ts';
import { accountOf, accountsOf, fitnessStatusOf } from './own-accounts.query.ts';
import { Imports } from '../ports.ts';
import { Providers } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';

const platform = z.object({ provider: contract.fitnessProviderSchema });
type Platform = z.infer<typeof platform>;

/** To a platform and back by GET, though accounts come of it, since browsers are sent there. */
@Controller('api/fitness/:provider')
export class ConnectingController {
  private readonly cookie: ProductCookie;

  constructor(
    @Inject(Connecting) private readonly connecting: Connecting,
    @Inject(Disconnecting) private readonly disconnecting: Disconnecting,
    @Inject(Env) env: Env,
  ) {
    this.cookie = cookieOf('connect', env.PUBLIC_URL);
  }

  @Get('auth')
  async begin(
    @CurrentCaller() { orgId, userId, sessionId }: Caller,
    @ValidParams(platform) { provider }: Platform,
    @ValidQuery(contract.connectQuerySchema) { scored, from }: z.infer<typeof contract.connectQuerySchema>,
    @Res({ passthrough: true }) answer: FastifyReply,
  ): Promise<{ authUrl: string }> {
    const wish = { isScored: scored === 'true', returnScreen: from };
    const account = { orgId, userId, provider };
    const { authUrl, begun } = await allowWrites(() => this.connecting.begin(account, wish, sessionId));
    answer.header('set-cookie', this.cookie.write(begun.browser, begun.endsAt));
    return { authUrl };
  }

  @Public()
  @Get('callback')
  async finish(
    @ValidParams(platform) { provider }: Platform,
    @Query() query: unknown,
    @Headers('cookie') cookies: string | undefined,
    @Res() answer: FastifyReply,
  ): Promise<void> {
    // A page is waited for here: what does not fit is an attempt that fails.
    const { data: came = {} } = contract.callbackQuerySchema.safeParse(query);
    const browser = this.cookie.read(cookies);
    const path = await allowWrites(() => this.connecting.finish(provider, { ...came, browser }));
    const headers = { location: path, 'set-cookie': this.cookie.clear(), 'referrer-policy': 'no-referrer' };
    await answer.code(303).headers(headers).type('application/json').send('null');
  }

  @Delete()
  async disconnect(
    @CurrentCaller() { orgId, userId }: Caller,
    @ValidParams(platform) { provider }: Platform,
    @ValidQuery(contract.disconnectQuerySchema) { deleteImported }: z.infer<typeof contract.disconnectQuerySchema>,
  ): Promise<{ disconnected: true; removedActivities: number }> {
    const account = { orgId, userId, provider };
    const removedActivities = await this.disconnecting.disconnect(account, deleteImported === 'true');
    return { disconnected: true, removedActivities };
  }
}

@Controller('api/fitness')
export class OwnAccountsController {
  constructor(
    @Inject(Rows) private readonly rows: Rows,
    @Inject(Providers) private readonly providers: Pick<Providers, 'of'>,
    @Inject(ConnectedAccounts) private readonly accounts: ConnectedAccounts,
    @Inject(Imports) private readonly imports: Pick<Imports, 'rescore' | 'figuresOf'>,
  ) {}

  @OpenToGuests()
  @Get('status')
  status(@CurrentCaller() caller: Caller): Promise<contract.FitnessStatus> {
    return fitnessStatusOf(this.rows, caller);
  }

  @Get('accounts')
  list(@CurrentCaller() caller: Caller): Promise<contract.FitnessAccount[]> {
    const { rows, providers, imports } = this;
    return accountsOf({ rows, providers, imports }, caller);
  }

  @Patch(':provider')
  async consent(
    @CurrentCaller() { orgId, userId }: Caller,
    @ValidParams(platform) { provider }: Platform,
    @ValidBody(contract.fitnessConsentRequestSchema) { isScored }: { isScored: boolean },
  ): Promise<contract.FitnessAccount> {
    const account = { orgId, userId, provider };
    if (!(await this.accounts.consent(account, isScored)))
      throw new Rejected('fitness/not-connected', 'conflict', contract.fitnessWords.notConnected);
    await this.imports.rescore(account, isScored);
    const { rows, providers, imports } = this;
    return accountOf({ rows, providers, imports }, account);
  }
}
