import { Global, Module } from '@nestjs/common';
import { BonusWindow } from '../ports.ts';
import { bonusWindow } from './bonus-window.query.ts';
import { CloseWindowWhenBonusChallengeClosed } from './close-window-when-bonus-challenge-closed.consumer.ts';
import { OpenWindowWhenBonusChallengeOpened } from './open-window-when-bonus-challenge-opened.consumer.ts';

@Global()
@Module({
  controllers: [OpenWindowWhenBonusChallengeOpened, CloseWindowWhenBonusChallengeClosed],
  providers: [{ provide: BonusWindow, useValue: bonusWindow }],
  exports: [BonusWindow],
})
export class BonusWindowModule {}
