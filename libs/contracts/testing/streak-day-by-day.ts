import { addDays } from '../domain/time/local-days.ts';

/** A streak as the rule is spoken (D11), by a walk from the first active date to today: what proofs compare with. */
export function streakDayByDay(active: ReadonlySet<string>, first: string, today: string, hasFreezes: boolean) {
  let freezes = hasFreezes ? 1 : 0;
  let days = 0;
  let isFrozen = false;
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
  if (active.has(today)) return { days, state: 'lit', freezes };
  return { days, state: isFrozen ? 'frozen' : 'at-risk', freezes };
}
