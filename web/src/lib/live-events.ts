/** One event of a stream of server-sent events. */
export type LiveEvent = {
  id: string | undefined;
  data: string;
  /** How long the server asks to wait before the next connection. */
  retryMilliseconds?: number;
};

/** Takes the complete events off the start of what has arrived; `rest` waits for more (HTML standard, 9.2.6). */
export function takeEvents(arrived: string): { events: LiveEvent[]; rest: string } {
  const blocks = arrived.replaceAll(/\r\n?/g, '\n').split('\n\n');
  const rest = blocks.pop() ?? '';
  return { events: blocks.map(eventOf).filter(({ data }) => data !== ''), rest };
}

function eventOf(block: string): LiveEvent {
  let id: string | undefined;
  let retryMilliseconds: number | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(id|data|retry): ?(.*)$/.exec(line) ?? [];
    if (field === 'id') id = value;
    if (field === 'data') data.push(value);
    if (field === 'retry' && /^\d+$/.test(value)) retryMilliseconds = Number(value);
  }
  return { id, data: data.join('\n'), ...(retryMilliseconds !== undefined && { retryMilliseconds }) };
}
