import { addDays } from '../domain/time/local-days.ts';

/** A streak as the rule is spoken (D11), by a walk from the first active date to today: what proofs compare with. */
export function streakDayByDay(active: ReadonlySet<string>, first: string, today: string, hasFreezes: boolean) {
  let [freezes, days, isFrozen] = [hasFreezes ? 1 : 0, 0, false];
  for (let day = first; day <= today; day = addDays(day, 1)) {
    const isMonday = new Date(`${day}T00:00:00Z`).getUTCDay() === 1;
    if (day > first && isMonday && freezes < 2 && hasFreezes) freezes += 1;
    if (active.has(day)) {
      days += 1;
      isFrozen = false;
    } else if (day < today && days > 0) {
      if (freezes > 0) freezes -= 1;
      else days = 0;
      isFrozen = days > 0;
    }
  }
  if (days === 0) return { days: 0, state: 'out', freezes };
  return { days, state: active.has(today) ? 'lit' : isFrozen ? 'frozen' : 'at-risk', freezes };
}
