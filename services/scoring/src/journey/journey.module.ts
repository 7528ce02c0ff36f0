import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { BoardUpkeep } from '../boards/board-upkeep.client.ts';
import { BeginJourneyWhenOrganisationFounded } from './begin-journey-when-organisation-founded.consumer.ts';
import { JourneyController } from './journey.controller.ts';
import { JourneyService } from './journey.service.ts';
import { LiveJourney } from './live-journey.query.ts';
import { TendJourneys } from './tend-journeys.job.ts';

@Module({
  providers: [JourneyService, LiveJourney, TendJourneys],
  controllers: [JourneyController, BeginJourneyWhenOrganisationFounded],
})
export class JourneyModule implements OnModuleInit {
  constructor(
    @Inject(BoardUpkeep) private readonly boards: BoardUpkeep,
    @Inject(JourneyService) private readonly journeys: JourneyService,
  ) {}

  onModuleInit(): void {
    this.boards.onSettled((orgId) => this.journeys.look(orgId));
  }
}
