import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { tokenAlgorithm, TokenVerifier } from './token-verifier.ts';

export const accessTokenStrategy = 'access-token';

/** passport-jwt checks neither `typ` nor `kid`: the verifier does. */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy, accessTokenStrategy) {
  constructor(@Inject(TokenVerifier) verifier: TokenVerifier) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider: (_request: unknown, token: string, done: (error: unknown, key?: never) => void) => {
        verifier.keyOf(token).then((key) => done(null, key as never), done);
      },
      algorithms: [tokenAlgorithm],
      issuer: verifier.rules.issuer,
      audience: verifier.rules.audience,
    });
  }

  validate(payload: unknown): unknown {
    return payload;
  }
}
