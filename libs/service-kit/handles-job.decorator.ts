import type { JobDefinition } from './job.ts';

const handledJob = Symbol('handledJob');

/** Marks the method that does a job: it takes the job's parsed data. Throwing makes it try again; `Rejected` does not. */
export function HandlesJob(job: JobDefinition): MethodDecorator {
  return (_target, _name, descriptor) => {
    Reflect.defineMetadata(handledJob, job, descriptor.value as object);
  };
}

/** The job that a method handles, if any. */
export function jobHandledBy(method: object): JobDefinition | undefined {
  return Reflect.getMetadata(handledJob, method) as JobDefinition | undefined;
}
