import { Global, Module } from '@nestjs/common';
import { Founding } from '../ports.ts';
import { BrandingController } from './branding.controller.ts';
import { CompanyController } from './company.controller.ts';
import { founding } from './founding.query.ts';
import { Logos } from './logo.client.ts';
import { StreaksController } from './streaks.controller.ts';

@Global()
@Module({
  controllers: [BrandingController, CompanyController, StreaksController],
  providers: [{ provide: Founding, useValue: founding }, Logos],
  exports: [Founding],
})
export class OrganisationsModule {}
