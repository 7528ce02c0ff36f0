import { Public } from '@caravan/auth/access.decorator';
import * as contract from '@caravan/contracts/http/fitness-webhooks';
import { Rejected } from '@caravan/kernel/rejected';
import { Env } from '@caravan/service-kit/process/env';
import { TakesBytes } from '@caravan/service-kit/http/request-body.decorator';
import { ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { IntegrationsEnv } from '../env.ts';
import { isSame, jsonIn, type Provider, ProviderFailure, Providers } from '../providers/index.ts';
import { Deliveries } from './deliveries.service.ts';

const kilobyte = 1_024;

/** Called by platforms, which prove themselves by a secret path, a signature or a token (docs/operate/platforms.md). */
@Public()
@Controller('api/webhooks')
export class WebhooksController {
  constructor(
    @Inject(Deliveries) private readonly deliveries: Deliveries,
    @Inject(Providers) private readonly providers: Pick<Providers, 'of' | 'legacyFitbit'>,
    @Inject(Env) private readonly env: IntegrationsEnv,
  ) {}

  @Get('strava/:secret')
  subscribe(
    @Param('secret') secret: string,
    @ValidQuery(contract.stravaSubscriptionQuerySchema) query: z.infer<typeof contract.stravaSubscriptionQuerySchema>,
  ): z.infer<typeof contract.stravaSubscriptionAnswerSchema> {
    const { 'hub.challenge': challenge, 'hub.mode': mode, 'hub.verify_token': token } = query;
    const expected = this.env.STRAVA_WEBHOOK_SECRET;
    const isAgreed = isShown(secret, expected) && isShown(token, expected);
    if (!isAgreed || mode !== 'subscribe' || challenge === undefined) throw unknown();
    return { 'hub.challenge': challenge };
  }

  @Post('strava/:secret')
  @HttpCode(200)
  @TakesBytes(16 * kilobyte)
  async deliverStrava(@Param('secret') secret: string, @Req() request: FastifyRequest): Promise<object> {
    await this.take(this.providers.of('strava'), { request, secret, refusal: unknown });
    return {};
  }

  @Post('google-health')
  @TakesBytes(256 * kilobyte)
  async deliverGoogleHealth(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const isVerification = verificationSchema.safeParse(jsonIn(bytesOf(request))).success;
    const { authorization } = request.headers;
    if (isVerification && !isShown(authorization, this.env.GOOGLE_HEALTH_WEBHOOK_SECRET))
      throw unauthenticatedRefusal();
    if (!isVerification) await this.take(this.providers.of('fitbit'), { request, refusal: unauthenticatedRefusal });
    void reply.code(isVerification ? 201 : 204);
  }

  @Get('fitbit')
  @HttpCode(204)
  verifyFitbit(
    @ValidQuery(contract.fitbitVerificationQuerySchema) query: z.infer<typeof contract.fitbitVerificationQuerySchema>,
  ): void {
    if (!isShown(query.verify, this.env.FITBIT_VERIFY_CODE)) throw unknown();
  }

  @Post('fitbit')
  @HttpCode(204)
  @TakesBytes(256 * kilobyte)
  async deliverFitbit(@Req() request: FastifyRequest): Promise<void> {
    await this.take(this.providers.legacyFitbit, { request, refusal: unknown });
  }

  private async take(provider: Provider, asked: { request: FastifyRequest; secret?: string; refusal: () => Error }) {
    const { request, secret, refusal } = asked;
    const body = bytesOf(request);
    const isGenuine = await provider
      .verify({ headers: request.headers, body, ...(secret !== undefined && { secret }) })
      .catch(unlessAway);
    if (!isGenuine) {
      this.deliveries.countRefusal(provider);
      throw refusal();
    }
    await this.deliveries.take(provider, provider.notices(body));
  }
}

const verificationSchema = z.object({ type: z.literal('verification') });

const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** Without the keys nobody knows: the platform delivers again. */
function unlessAway(error: unknown): never {
  if (!(error instanceof ProviderFailure)) throw error;
  throw new Rejected('webhook/unverifiable', 'unavailable', 'This cannot be verified right now.', {
    retryAfterSeconds: error.retryAfterSeconds ?? 30,
  });
}

const isShown = (shown: string | undefined, expected: string | undefined): boolean =>
  shown !== undefined && expected !== undefined && isSame(shown, expected);

const unknown = () => new Rejected('request/not-found', 'not-found', 'Not found');
const unauthenticatedRefusal = () =>
  new Rejected('webhook/unauthenticated', 'unauthenticated', 'This is not signed by Google');
