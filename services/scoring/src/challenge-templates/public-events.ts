import { auditedAct } from '@caravan/service-kit/telemetry/audited';

export const savingTemplatesAudited = (count: number) => auditedAct('challenge.templates-saved', { count });
