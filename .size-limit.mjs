import { readFileSync } from 'node:fs';

const folder = '.caravan/sizes';
const read = (path) => readFileSync(`${folder}/${path}`, 'utf8');

/** Scripts before a screen can be used: what its page and its route ask for, with whatever they import. */
function scriptsOf(path) {
  const page = read('index.html');
  const [route] = new RegExp(`"${path}":\\["/assets/[^\\]]+`).exec(page) ?? [];
  if (route === undefined) throw new Error(`${folder}/index.html does not say what ${path} needs.`);
  const asked = [
    ...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g),
    ...route.matchAll(/"\/(assets\/[^"]+\.js)"/g),
  ];
  const waiting = asked.map(([, file]) => file);
  const found = new Set();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    waiting.push(...[...read(file).matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].map(([, name]) => `assets/${name}`));
  }
  return [...found].map((file) => `${folder}/${file}`);
}

export default [
  { name: 'scripts before the login can be used', path: scriptsOf('/login'), gzip: true, limit: '141 kB' },
  { name: 'scripts before the dashboard can be used', path: scriptsOf('/dashboard'), gzip: true, limit: '195 kB' },
  {
    name: 'the forms of login and sign-up',
    path: '.caravan/sizes/assets/{use-rules,password-field,login-form,signup-form}-*.js',
    gzip: true,
    limit: '20 kB',
  },
  {
    name: 'the largest screen of admins',
    path: '.caravan/sizes/assets/admin_.members-*.js',
    gzip: true,
    limit: '6 kB',
  },
  {
    name: 'the frame of signed-in screens and the dashboard’s cards',
    path: '.caravan/sizes/assets/{_member,home}-????????.js',
    gzip: true,
    limit: '27 kB',
  },
  {
    name: 'styles before the first screen',
    path: '.caravan/sizes/assets/{page,kit}-*.css',
    gzip: true,
    limit: '10 kB',
  },
  {
    name: 'the font',
    path: '.caravan/sizes/assets/figtree-latin-wght-*.woff2',
    gzip: true,
    limit: '35 kB',
  },
  {
    name: 'the journey with its map',
    path: '.caravan/sizes/assets/{journey,route-map}-*.js',
    gzip: true,
    limit: '16 kB',
  },
  {
    name: 'the land of the longest route',
    path: '.caravan/sizes/assets/trans-siberian-*.js',
    gzip: true,
    limit: '40 kB',
  },
  {
    name: 'the upload panel, when it is opened',
    path: '.caravan/sizes/assets/photo-panel-*.js',
    gzip: true,
    limit: '93 kB',
  },
  {
    name: 'the styles of the upload panel',
    path: '.caravan/sizes/assets/photo-panel-*.css',
    gzip: true,
    limit: '4 kB',
  },
  {
    name: 'the timer with its log',
    path: '.caravan/sizes/assets/{timer,photo-choice}-????????.js',
    gzip: true,
    limit: '12 kB',
  },
];
