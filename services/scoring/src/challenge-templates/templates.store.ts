import type { Tx } from '@caravan/event-store/core/event-store';
import { defaultTemplates } from './templates.ts';
import type { Template } from './templates.ts';

export async function templatesOf(tx: Tx, orgId: string): Promise<readonly Template[]> {
  const { rows } = await tx.query<Template & { readonly id: string }>(
    `select template_id as id, name, description, target_value::float, target_unit,
       bonus_centimiles / 100.0::float as bonus_miles, challenge_type, is_active
     from challenge_templates where org_id = $1 order by place`,
    [orgId],
  );
  return rows.length > 0 ? rows : defaultTemplates;
}

export async function replaceTemplates(tx: Tx, orgId: string, templates: readonly Template[]): Promise<void> {
  const of = <Value>(value: (template: Template) => Value) => templates.map(value);
  await forgetTemplates(tx, orgId);
  await tx.query(
    `insert into challenge_templates (org_id, template_id, place, name, description, target_value, target_unit,
       bonus_centimiles, challenge_type, is_active)
     select $1, template_id, place, name, description, target_value, target_unit, bonus_centimiles, challenge_type, is_active
     from unnest($2::text[], $3::text[], $4::text[], $5::numeric[], $6::text[], $7::int[], $8::text[], $9::boolean[])
       with ordinality as t (template_id, name, description, target_value, target_unit, bonus_centimiles, challenge_type,
         is_active, place)`,
    [
      orgId,
      of(({ id }) => id),
      of(({ name }) => name),
      of(({ description }) => description),
      of(({ targetValue }) => targetValue),
      of(({ targetUnit }) => targetUnit),
      of(({ bonusMiles }) => Math.round(bonusMiles * 100)),
      of(({ challengeType }) => challengeType),
      of(({ isActive }) => isActive),
    ],
  );
}

export async function forgetTemplates(tx: Tx, orgId: string): Promise<void> {
  await tx.query('delete from challenge_templates where org_id = $1', [orgId]);
}
