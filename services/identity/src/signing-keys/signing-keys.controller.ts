import { Public } from '@caravan/auth/access.decorator';
import { Controller, Get, Header, Inject } from '@nestjs/common';
import { KeyRing } from './key-ring.service.ts';

@Controller()
export class SigningKeysController {
  constructor(@Inject(KeyRing) private readonly ring: KeyRing) {}

  @Public()
  @Get('.well-known/jwks.json')
  @Header('cache-control', 'public, max-age=300')
  jwks() {
    return this.ring.jwks();
  }
}
