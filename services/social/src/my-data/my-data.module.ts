import { Module } from '@nestjs/common';
import { MyDataController } from './my-data.controller.ts';

@Module({ controllers: [MyDataController] })
export class MyDataModule {}
