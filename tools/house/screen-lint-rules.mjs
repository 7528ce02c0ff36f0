// Rules for the web app: each names the one place that may do what it forbids everywhere else.

const rule = (forbid) => ({
  meta: { type: 'problem', schema: [] },
  create: (context) => forbid((node, message) => context.report({ node, message })),
});

/** A key belongs to one request, which the senders of lib/keyed-requests.ts see to (D38). */
const keysWithRequests = rule((refuse) => {
  const look = (node, text) => {
    if (typeof text === 'string' && text.toLowerCase() === 'idempotency-key')
      refuse(node, 'Send it by `sendOnce` or `sendAnew`: a key never travels with another request.');
  };
  return {
    Literal: (node) => look(node, node.value),
    TemplateElement: (node) => look(node, node.value.raw),
    // The generated operations demand a key where one is taken; a call by its path would get around that.
    'CallExpression[callee.object.name="client"][callee.property.name=/^(post|put|patch|delete|request)$/]'(node) {
      refuse(node, 'Call the generated operation: its type says whether it needs a key.');
    },
  };
});

const dateTypes = new Set(['date', 'datetime-local', 'time', 'month', 'week']);

/** Browsers let people type dates that are none. */
const dateFields = rule((refuse) => ({
  'JSXAttribute[name.name="type"] Literal'(node) {
    if (dateTypes.has(node.value)) refuse(node, 'Use DateField or MomentField of ui/date-field.tsx.');
  },
}));

/** Dates and times are those of the member's zone (D10). */
const datesByTheHelper = rule((refuse) => ({
  'MemberExpression[object.name="Intl"][property.name="DateTimeFormat"]'(node) {
    refuse(node, "Use `useDates` of lib/dates.ts: dates and times are those of the member's zone.");
  },
  'MemberExpression[property.name=/^toLocale(Date|Time)?String$/]'(node) {
    refuse(node, 'Use `useDates` of lib/dates.ts, or a number format of lib/format.ts.');
  },
  'CallExpression > MemberExpression[property.name=/^(getTimezoneOffset|get(FullYear|Month|Date|Day|Hours|Minutes))$/]'(
    node,
  ) {
    refuse(node, "Use `useDates` of lib/dates.ts: this is the browser's zone, not the member's.");
  },
}));

const parsers = new Set([
  'split',
  'slice',
  'substring',
  'replace',
  'replaceAll',
  'match',
  'matchAll',
  'at',
  'charAt',
  'indexOf',
  'startsWith',
  'endsWith',
  'includes',
  'search',
]);
const formats = /^(format|toLocale(Date|Time)?String)$/;
/** Locales that nobody reads here: their order of year, month and day is taken for ISO 8601, until ICU changes it. */
const passingForIso = new Set(['en-CA', 'sv', 'sv-SE', 'fr-CA', 'lt', 'lt-LT']);

const isFormatted = (node) =>
  node?.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  formats.test(node.callee.property.name ?? '');

/** A formatted date is for people; programs read its parts. */
const noParsedDates = rule((refuse) => {
  const message = 'A formatted date is for people: use localDateOf of contracts/local-days, or formatToParts.';
  const lookAtLocale = (node) => {
    const [locale] = node.arguments;
    if (locale?.type === 'Literal' && passingForIso.has(locale.value)) refuse(locale, message);
  };
  return {
    'CallExpression > MemberExpression.callee'(node) {
      if (isFormatted(node.object) && parsers.has(node.property.name)) refuse(node, message);
    },
    'CallExpression:matches([callee.name="Number"], [callee.object.name="Date"][callee.property.name="parse"])'(node) {
      if (isFormatted(node.arguments[0])) refuse(node, message);
    },
    'NewExpression[callee.name="Date"]'(node) {
      if (isFormatted(node.arguments[0])) refuse(node, message);
    },
    ':matches(NewExpression, CallExpression)[callee.property.name="DateTimeFormat"]': lookAtLocale,
    'CallExpression[callee.property.name=/^toLocale(Date|Time)?String$/]': lookAtLocale,
  };
});

/** A separating dot stays at the end of a line: browsers differ in where they break beside it. */
const dotsStick = rule((refuse) => {
  const message = "Write '&nbsp;· ' or '\\u00a0· ': a line does not begin with the dot.";
  return {
    JSXText: (node) => / ·( |$)/.test(node.raw) && refuse(node, message),
  };
});

export const screenRules = {
  'dots-stick': dotsStick,
  'keys-with-requests': keysWithRequests,
  'date-fields': dateFields,
  'dates-by-the-helper': datesByTheHelper,
  'no-parsed-dates': noParsedDates,
};
