import { asciiAddress } from '@caravan/contracts/domain/text/email-address';
import { passwordCriteria, passwordTooShort, passwordTooSimple } from '@caravan/contracts/domain/text/password';
import { characterCount, tidyText } from '@caravan/contracts/domain/text/text';
import { useLingui } from '@lingui/react/macro';

const longestName = 80;

/** What the fields refuse before asking the server, in its words; undefined: nothing (5.1, 5.2, 5.5). */
export function useRules() {
  const { t } = useLingui();
  const nameRule = (missing: string, tooLong: string) => (typed: string | undefined) => {
    const name = tidyText(typed ?? '');
    if (name === '') return missing;
    return characterCount(name) > longestName ? tooLong : undefined;
  };
  return {
    emailRefusal: (typed: string) => (asciiAddress(typed.trim()) === undefined ? t`Invalid email address` : undefined),
    newPasswordRefusal: (password: string) => {
      if ([...password].length < 8) return passwordTooShort;
      return passwordCriteria.every(({ holds }) => holds(password)) ? undefined : passwordTooSimple;
    },
    nameRefusal: nameRule(t`Name is required`, t`Name must be at most 80 characters`),
    organisationRefusal: nameRule(t`Organisation name is required`, t`Organisation name must be at most 80 characters`),
  };
}
