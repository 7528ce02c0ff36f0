import type { JobDefinition } from './job.ts';

const handledJob = Symbol('handledJob');

/** Throwing makes the job try again; `Rejected` does not. */
export function HandlesJob(job: JobDefinition): MethodDecorator {
  return (_target, _name, descriptor) => {
    Reflect.defineMetadata(handledJob, job, descriptor.value as object);
  };
}

export function jobHandledBy(method: object): JobDefinition | undefined {
  return Reflect.getMetadata(handledJob, method) as JobDefinition | undefined;
}
