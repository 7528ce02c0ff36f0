import { createTopics, prepareDatabases } from './databases.ts';

// For containers: what `./caravan up` does between starting servers and starting services.
function variable(name: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== '') return value;
  process.stderr.write(`This process cannot start: ${name} is missing.\n`);
  process.exit(1);
}

const passwords = {
  owner: variable('POSTGRES_OWNER_PASSWORD'),
  runtime: (service: string) => variable(`POSTGRES_${service.toUpperCase()}_PASSWORD`),
};
await Promise.all([
  prepareDatabases({ superuser: variable('POSTGRES_ADMIN_URL') }, passwords),
  createTopics(variable('KAFKA_BROKERS').split(',')),
]);
process.stdout.write('The databases are migrated and the topics are there.\n');
