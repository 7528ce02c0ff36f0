import type { ActivityLevel } from '@caravan/contracts/fields';
import { useMutation } from '@tanstack/react-query';
import { chooseActivityLevel } from '../../lib/api/generated/sdk.gen.ts';
import { storedToken } from '../../lib/stored-session.ts';

export const useChooseActivityLevel = () =>
  useMutation({
    mutationFn: async (activityLevel: ActivityLevel) => {
      if (!storedToken()) throw new Error('Authentication required - no token in localStorage');
      return chooseActivityLevel({ body: { activityLevel } });
    },
  });
