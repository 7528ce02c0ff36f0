import { Module } from '@nestjs/common';
import { PeopleController } from './people.controller.ts';

@Module({ controllers: [PeopleController] })
export class PeopleModule {}
