export { forgetTemplates, templatesOf } from './templates.store.ts';
