import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import * as contract from '@caravan/contracts/http/comments';
import type {
  Comment,
  CommentReason,
  CommentReport,
  CommentRequest,
  ConcealedComment,
  Mentionable,
} from '@caravan/contracts/http/comments';
import type { PageQuery } from '@caravan/contracts/http/paging';
import type { IdempotentRequest } from '@caravan/event-store/core/event-store';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { IdempotencyKey } from '@caravan/service-kit/http/idempotency.decorator';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { idParams, ValidBody, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Delete, Get, HttpCode, Inject, Patch, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type Signing, withFace } from '../feed/index.ts';
import {
  commentThread,
  hiddenComments,
  mentionableMembers,
  reportedComments,
  signedComment,
} from './comments.query.ts';
import { CommentsService } from './comments.service.ts';

type Id = { id: string };

@Controller('api/feed')
export class CommentsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Cursors) private readonly cursors: Cursors,
    @Inject(CommentsService) private readonly service: CommentsService,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  @Get('mentionable')
  async listMentionable(
    @CurrentCaller() caller: Caller,
    @ValidQuery(contract.mentionableQuerySchema) { name }: { name: string },
  ): Promise<Mentionable> {
    const members = await mentionableMembers(this.pool, caller, name);
    return members.map((member) => withFace(member, this.signing(caller)));
  }

  @Get(':id/comments')
  async list(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: Id,
    @ValidQuery(contract.commentsQuerySchema) page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Comment[]> {
    const { pool, cursors } = this;
    const { comments, nextCursor } = await commentThread({ pool, cursors }, caller, id, page);
    const path = `/api/feed/${id}/comments`;
    const query = { limit: page.limit };
    if (nextCursor !== undefined) reply.header('link', nextPageLink({ path, query, cursor: nextCursor }));
    return comments.map((comment) => this.signPhoto(comment, caller));
  }

  @Post(':id/comments')
  async write(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: Id,
    @ValidBody(contract.commentRequestSchema) body: CommentRequest,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<Comment> {
    return this.signPhoto(await this.service.write(caller, id, body, request), caller);
  }

  @Patch('comments/:id')
  async edit(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: Id,
    @ValidBody(contract.commentRequestSchema) body: CommentRequest,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<Comment> {
    return this.signPhoto(await this.service.edit(caller, id, body, request), caller);
  }

  @Delete('comments/:id')
  async remove(@CurrentCaller() caller: Caller, @ValidParams(idParams) { id }: Id): Promise<{ removed: true }> {
    await this.service.remove(caller, id);
    return { removed: true };
  }

  @Post('comments/:id/report')
  @HttpCode(200)
  report(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: Id,
    @ValidBody(contract.commentReasonSchema) body: CommentReason,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<{ reported: true }> {
    return this.service.report(caller, id, body, request);
  }

  @AdminOnly()
  @Get('reported-comments')
  async listReported(@CurrentCaller() caller: Caller): Promise<CommentReport[]> {
    const reported = await reportedComments(this.pool, caller);
    return reported.map((report) => ({ ...report, comment: this.signPhoto(report.comment, caller) }));
  }

  @AdminOnly()
  @Get('hidden-comments')
  async listHidden(@CurrentCaller() caller: Caller): Promise<ConcealedComment[]> {
    const hidden = await hiddenComments(this.pool, caller);
    return hidden.map((concealed) => ({ ...concealed, comment: this.signPhoto(concealed.comment, caller) }));
  }

  @AdminOnly()
  @Post('comments/:id/show')
  @HttpCode(200)
  show(@CurrentCaller() caller: Caller, @ValidParams(idParams) { id }: Id): Promise<{ shown: true }> {
    return this.service.show(caller, id);
  }

  @AdminOnly()
  @Post('comments/:id/dismiss-reports')
  @HttpCode(200)
  dismissReports(@CurrentCaller() caller: Caller, @ValidParams(idParams) { id }: Id): Promise<{ dismissed: true }> {
    return this.service.dismissReports(caller, id);
  }

  @AdminOnly()
  @Post('comments/:id/hide')
  @HttpCode(200)
  hide(
    @CurrentCaller() caller: Caller,
    @ValidParams(idParams) { id }: Id,
    @ValidBody(contract.commentReasonSchema) body: CommentReason,
    @IdempotencyKey() request?: IdempotentRequest,
  ): Promise<{ hidden: true }> {
    return this.service.hide(caller, id, body, request);
  }

  private signing({ orgId, at }: Caller): Signing {
    return { addresses: this.addresses, orgId, at };
  }

  private signPhoto(comment: Comment, caller: Caller): Comment {
    return signedComment(comment, this.signing(caller));
  }
}
