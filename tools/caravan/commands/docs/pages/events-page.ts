import { serviceNames, topics } from '@caravan/contracts/events/topics';
import { consumersOf, dataSchemaOf, eventsOf } from './events-document.ts';
import { fieldsIn } from './json-schema.ts';
import { code, generatedBy, plain } from './markdown.ts';

export function eventsPage(): string {
  const services = serviceNames.map((service) => {
    const events = Object.values(eventsOf[service]).map((contract) => {
      const consumers = consumersOf(contract);
      const fields = fieldsIn(dataSchemaOf(contract)).map(
        ({ path, type, isRequired }) => `- ${code(path)}${isRequired ? '' : ' (optional)'}: ${plain(type)}`,
      );
      const readers = consumers.length === 0 ? 'No service consumes it.' : `Consumed by ${consumers.join(', ')}.`;
      return `### ${contract.type}, version ${contract.version}\n\n${readers}\n\n${fields.join('\n')}\n`;
    });
    return `## ${service}: topic ${topics[service].name}\n\n${events.join('\n')}`;
  });
  return [
    generatedBy('the contracts in libs/contracts/events'),
    '# Events\n',
    'Services publish these events on Kafka. `docs/api/asyncapi.json` holds the same contracts as AsyncAPI 3.0, with',
    'the envelope and a sample of each event.\n',
    ...services,
  ].join('\n');
}
