import { Global, Module } from '@nestjs/common';
import { Board } from './board.client.ts';
import { BoardUpkeep } from './board-upkeep.client.ts';
import { BoardQuery } from './board.query.ts';
import { OrganisationWeek } from './organisation-week.query.ts';

/** What the features of this service share: the boards, and which week it is. */
@Global()
@Module({
  providers: [Board, BoardUpkeep, BoardQuery, OrganisationWeek],
  exports: [BoardUpkeep, BoardQuery, OrganisationWeek],
})
export class BoardModule {}
