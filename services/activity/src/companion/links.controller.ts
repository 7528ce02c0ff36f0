import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import * as contract from '@caravan/contracts/http/companion';
import { ValidBody } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { LinkImports } from './link-imports.service.ts';

/** Answers the upload panel before a photo is fetched from another site (ADR 0059). */
@Controller('companion')
export class LinksController {
  constructor(@Inject(LinkImports) private readonly imports: LinkImports) {}

  @Get('sources')
  sources(): contract.PhotoSources {
    return { link: this.imports.isAllowed };
  }

  @Post('url/meta')
  @HttpCode(200)
  look(
    @CurrentCaller() caller: Caller,
    @ValidBody(contract.linkRequestSchema) { url }: contract.LinkRequest,
  ): Promise<contract.LinkedFile> {
    return this.imports.look(caller, url);
  }

  @Post('url/get')
  @HttpCode(200)
  begin(
    @CurrentCaller() caller: Caller,
    @ValidBody(contract.linkRequestSchema) { url }: contract.LinkRequest,
  ): Promise<contract.LinkImport> {
    return this.imports.begin(caller, url);
  }
}
