import { audited } from '@caravan/service-kit/telemetry/audited';

export const savingTemplatesAudited = (count: number) => audited('challenge.templates-saved', { count });
