import { createServer } from 'vite';

// node --import tsx tools/caravan/commands/dev/web-process.ts PORT GATEWAY FOLDER
// Serves the web app from its sources in FOLDER; what changes in them is shown on open pages. What is no file of the web
// app is asked of the gateway.
const [port, gateway = '', folder = ''] = process.argv.slice(2);
const server = await createServer({
  root: folder,
  configFile: `${folder}/vite.config.ts`,
  clearScreen: false,
  logLevel: 'warn',
  server: {
    host: '127.0.0.1',
    port: Number(port),
    strictPort: true,
    proxy: { '^/(api|objects|companion|health|\\.well-known)(/|\\?|$)': { target: gateway } },
  },
});
await server.listen();
