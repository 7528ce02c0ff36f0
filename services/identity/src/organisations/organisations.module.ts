import { Global, Module } from '@nestjs/common';
import { Founding } from '../doors.ts';
import { BrandingController } from './branding.controller.ts';
import { CompanyController } from './company.controller.ts';
import { founding } from './founding.query.ts';

@Global()
@Module({
  controllers: [BrandingController, CompanyController],
  providers: [{ provide: Founding, useValue: founding }],
  exports: [Founding],
})
export class OrganisationsModule {}
