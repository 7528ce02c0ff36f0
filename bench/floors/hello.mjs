import fastify from 'fastify';

// The smallest service there is, for proxies to stand in front of. Argument: port.
const app = fastify();
app.get('/*', () => ({ hello: 'world' }));
process.stdout.write(`${await app.listen({ port: Number(process.argv[2] ?? 0), host: '127.0.0.1' })}\n`);
