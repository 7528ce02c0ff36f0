import { Public } from '@caravan/auth/access.decorator';
import { unsubscribeQuerySchema } from '@caravan/contracts/http/deliveries';
import type { Unsubscribed } from '@caravan/contracts/http/deliveries';
import { TakesForms } from '@caravan/service-kit/http/request-body.decorator';
import { ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { Unsubscribing } from './unsubscribing.service.ts';

/** For people, from the page that a mail leads to, and for mail programs, which post a form of their own (RFC 8058). */
@Controller('api/unsubscribe')
export class UnsubscribeController {
  constructor(@Inject(Unsubscribing) private readonly unsubscribing: Unsubscribing) {}

  @Public()
  @Post()
  @HttpCode(200)
  @TakesForms()
  async unsubscribe(@ValidQuery(unsubscribeQuerySchema) { token }: { token: string }): Promise<Unsubscribed> {
    return { mails: await this.unsubscribing.unsubscribe(token) };
  }
}
