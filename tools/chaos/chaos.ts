import { serviceNames } from '@caravan/contracts/topics';
import { z } from 'zod';
import { settle } from '@caravan/check-invariants/invariants';
import { foundOrganisation, logOnce, type Member } from './load.ts';

/** A running product whose programs can be killed and started again. */
export type Victim = {
  readonly url: string;
  readonly databases: Parameters<typeof settle>[0];
  kill(program: string): Promise<void>;
  startAgain(program: string): Promise<void>;
};

export type Extent = { readonly members: number; readonly logs: number };

const parallelClients = 16;
const settleWithinMilliseconds = 60_000;
const programs = [...serviceNames, 'gateway', 'kafka', 'redis'];

/**
 * Members log while every program is killed once, without warning, and started again. Afterwards every acknowledged
 * log exists once, every sum is the sum of its logs, the board says the same, and nobody was logged out.
 * Throws with what does not hold.
 */
export async function chaos(victim: Victim, { members, logs }: Extent, tell: (line: string) => void): Promise<void> {
  const people = await foundOrganisation(victim.url, members);
  const run = { logs, begun: 0, kills: 0 };
  const client = async () => {
    for (let index = run.begun++; index < logs; index = run.begun++) {
      const member = people[index % people.length];
      await until(() => index < share(run, run.kills + 1));
      if (member) await logOnce(victim.url, member, `chaos-${index}`, 10 + (index % 50));
    }
  };
  const clients = Promise.all(Array.from({ length: parallelClients }, client));
  await Promise.all([clients, killEach(victim, run, tell)]);
  const acknowledged = people.flatMap((member) => member.acknowledged);
  tell(`${acknowledged.length} logs are acknowledged`);
  await settle(victim.databases, settleWithinMilliseconds);
  await everybodySees(victim.url, people, logs);
}

/** How far a run is: logs begun and programs killed. */
type Run = { readonly logs: number; begun: number; kills: number };

/** How many logs belong before the end of a number of kills: however fast the product is, each kill hits some. */
const share = ({ logs }: Run, kills: number) => (logs * kills) / (programs.length + 1);

/** Spreads the kills over the run, so that each hits work in progress. */
async function killEach(victim: Victim, run: Run, tell: (line: string) => void): Promise<void> {
  for (const program of programs) {
    await until(() => run.begun >= share(run, run.kills + 0.5));
    run.kills += 1;
    await victim.kill(program);
    await victim.startAgain(program);
    tell(`${program} was killed and is back (${Math.round((100 * run.begun) / run.logs)} % logged)`);
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

const boardSchema = z.object({ users: z.array(z.object({ id: z.string(), totalMiles: z.number() })) });
const ownLogSchema = z.array(z.object({ id: z.string(), distanceMiles: z.number() }));

async function everybodySees(url: string, people: readonly Member[], logs: number): Promise<void> {
  const acknowledged = new Set(people.flatMap((member) => member.acknowledged));
  if (acknowledged.size !== logs)
    throw new Error(`${logs} logs were sent, ${acknowledged.size} different ones acknowledged`);
  for (const member of people) {
    const own = await ownLogs(url, member);
    const missing = member.acknowledged.filter((id) => !own.has(id));
    if (missing.length > 0 || own.size !== member.acknowledged.length)
      throw new Error(
        `a member has ${own.size} logs of ${member.acknowledged.length} acknowledged; missing: ${missing.join(', ')}`,
      );
    const total = [...own.values()].reduce((sum, miles) => sum + Math.round(miles * 100), 0);
    const { users } = boardSchema.parse(
      await read(`${url}/api/leaderboard`, member.token).then((answer) => answer.json()),
    );
    const shown = users.find(({ id }) => id === member.id)?.totalMiles;
    if (shown !== undefined && Math.round(shown * 100) !== total)
      throw new Error(`the board shows ${shown}, the logs come to ${total / 100}`);
  }
}

async function ownLogs(url: string, { token }: Member): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let page: string | undefined = `${url}/api/logs?limit=50`; page;) {
    const answer: Response = await read(page, token);
    for (const { id, distanceMiles } of ownLogSchema.parse(await answer.json())) found.set(id, distanceMiles);
    const following = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    page = following && new URL(following, url).href;
  }
  return found;
}

/** Reads as a signed-in member; a 401 here means that the faults have logged somebody out. */
async function read(url: string, token: string): Promise<Response> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer;
}
