import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { OpenToGuests } from '@caravan/auth/access.decorator';
import { refreshCookieOf } from '@caravan/auth/cookies';
import { eraseRequestSchema } from '@caravan/contracts/http/people';
import { Env } from '@caravan/service-kit/env';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, Delete, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErasureCleanup } from './erasure-cleanup.client.ts';
import { Erasing } from './erasing.client.ts';
import { OwnPassword } from '../own-password.client.ts';

@Controller('api/me')
@OpenToGuests()
export class EraseController {
  constructor(
    @Inject(OwnPassword) private readonly ownPassword: OwnPassword,
    @Inject(Erasing) private readonly erasing: Erasing,
    @Inject(ErasureCleanup) private readonly cleanup: ErasureCleanup,
    @Inject(Env) private readonly env: Env,
  ) {}

  @Delete()
  async erase(
    @ValidBody(eraseRequestSchema) { password }: { password: string },
    @CurrentCaller() caller: Caller,
    @Req() { ip }: FastifyRequest,
    @Res({ passthrough: true }) answer: FastifyReply,
  ): Promise<{ erased: true }> {
    await this.ownPassword.assertIs(caller, password, { address: ip, field: 'password' });
    const { hasClosed } = await this.erasing.erase(caller);
    answer.header('set-cookie', refreshCookieOf(this.env.PUBLIC_URL).clear());
    await this.cleanup.run(caller, hasClosed);
    return { erased: true };
  }
}
