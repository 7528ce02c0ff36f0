/** The short form tries everything out in minutes; its figures are of smaller companies and shorter runs. */
export const isShort = process.env['BENCH_FORM'] === 'short';

export const longOr = <Value>(long: Value, short: Value): Value => (isShort ? short : long);
