import type { JobDefinition } from './jobs.ts';

const handledJob = Symbol('handledJob');

/** Marks the method that does a job. The method takes the job's data; throwing makes it try again. */
export function HandlesJob(job: JobDefinition): MethodDecorator {
  return (_target, _name, descriptor) => {
    Reflect.defineMetadata(handledJob, job, descriptor.value as object);
  };
}

/** The job a method handles, if any. */
export function jobHandledBy(method: object): JobDefinition | undefined {
  return Reflect.getMetadata(handledJob, method) as JobDefinition | undefined;
}
