import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { projectRoot } from '../main/project-root.ts';
import { addArrays } from './arrays-program.ts';
import { addGlobalOptions, HELP_HINT, nameOptions } from './common-options.ts';
import { addFollowing } from './following-program.ts';
import { addOffline } from './offline-program.ts';
import { addRequests } from './request-program.ts';
import { addService } from './service-program.ts';
import { addSites } from './sites-program.ts';

/** Every command of `gridcast`, its options and where its code is. Modules are loaded when their command runs. */
export function buildProgram(): Command {
  const program = new Command('gridcast')
    .description('A grid meta-scheduler that forecasts batch queues, makes promises about them and keeps score')
    .version(packageVersion())
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError(HELP_HINT);
  addService(program);
  addSites(program);
  addRequests(program);
  addArrays(program);
  addFollowing(program);
  addOffline(program);
  addCompletion(program);
  addGlobalOptions(program);
  nameOptions(program);
  return program;
}

function addCompletion(program: Command): void {
  program
    .command('completion <shell>')
    .description('print a script that completes commands and options: bash, zsh or fish')
    .addHelpText('after', '\nbash and zsh: eval "$(gridcast completion bash)"; fish: gridcast completion fish | source')
    .action(async (shell: string) => {
      process.stdout.write((await import('./commands/completion.ts')).completionScript(program, shell));
    });
}

function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}
