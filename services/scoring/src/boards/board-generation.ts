/**
 * The generation of an organisation's board, as SQL; $1 is the organisation. A new one begins when Redis has missed a
 * change, and when the rows behind all boards were rebuilt.
 */
export const generationSql = `concat_ws('.',
    coalesce((select generation from es.projections where name = 'miles-ledger'), 0),
    coalesce((select generation from board_generations where org_id = $1), 0))`;
