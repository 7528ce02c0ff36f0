import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { BoardUpkeep } from '../boards/board-upkeep.client.ts';
import { BeginJourneyWhenOrganisationFounded } from './begin-journey-when-organisation-founded.consumer.ts';
import { JourneyController } from './journey.controller.ts';
import { Journeys } from './journeys.client.ts';
import { LiveJourney } from './live-journey.query.ts';
import { TendJourneys } from './tend-journeys.job.ts';

@Module({
  providers: [Journeys, LiveJourney, TendJourneys],
  controllers: [JourneyController, BeginJourneyWhenOrganisationFounded],
})
export class JourneyModule implements OnModuleInit {
  constructor(
    @Inject(BoardUpkeep) private readonly boards: BoardUpkeep,
    @Inject(Journeys) private readonly journeys: Journeys,
  ) {}

  onModuleInit(): void {
    this.boards.onSettled((orgId) => this.journeys.look(orgId));
  }
}
