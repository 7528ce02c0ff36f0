import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from './orphans.ts';
import { root, shared } from './paths.ts';
import type { Program } from './supervisor.ts';

const logSettings = {
  kafka: `-Dlog4j2.configurationFile=${join(root, 'infra/local/kafka/log4j2.properties')}`,
  s3proxy: `-Dlogback.configurationFile=${join(root, 'infra/local/s3proxy/logback.xml')}`,
};

/** In a POSIX locale Java cannot read a path that is not ASCII. */
export const javaVariables = { LC_ALL: 'C.UTF-8' };

/** A program of infra/local/pom.xml. */
export type JavaModule = keyof typeof logSettings;

/** Class path of a module of infra/local/pom.xml. */
export const classPath = (module: JavaModule): string => join(shared.jars, module, '*');

/** What killed launchers never put in its place. */
function dropUnfinishedArchives(): void {
  for (const file of readdirSync(shared.jars)) {
    const launcher = /\.jsa\.(\d+)$/.exec(file)?.[1];
    if (launcher !== undefined && commandLine(Number(launcher)) === '')
      rmSync(join(shared.jars, file), { force: true });
  }
}

/** Compiles less: Kafka takes half the processor time until it is ready, and more per message later. */
export const quickStart = ['-XX:TieredStopAtLevel=1'];

/**
 * How a Java program is started. Its parsed classes are kept beside its jars when its first run ends, which makes every
 * later start twice as fast: Kafka is ready after 1.4 s instead of 3.5.
 */
export function javaProgram(
  module: JavaModule,
  options: string[],
  args: string[],
): Pick<Program, 'command' | 'args' | 'variables' | 'afterEnd'> {
  const archive = join(shared.jars, `${module}.jsa`);
  const unfinished = `${archive}.${process.pid}`;
  dropUnfinishedArchives();
  const classes = existsSync(archive) ? `-XX:SharedArchiveFile=${archive}` : `-XX:ArchiveClassesAtExit=${unfinished}`;
  const machine = [...options, '-XX:+UseSerialGC', '-Xshare:auto', classes, '-Xlog:disable', '-Xlog:all=error:stderr'];
  return {
    command: 'java',
    variables: javaVariables,
    args: [...machine, logSettings[module], '-cp', classPath(module), ...args],
    afterEnd: ({ inOrder }) => {
      if (inOrder && !existsSync(archive) && existsSync(unfinished)) renameSync(unfinished, archive);
      rmSync(unfinished, { force: true });
    },
  };
}
