import { DIRECTIVE_SYSTEMS } from '../../domain/directives/directive.ts';
import { DIRECTIVE_USES } from '../../domain/directives/judge-directives.ts';
import { defineEnum } from './define-enum.ts';

export const DirectiveUseEnum = defineEnum(
  'DirectiveUse',
  DIRECTIVE_USES,
  'What becomes of lines of a script that begin as those for a batch system do: #SBATCH, #PBS, #$, #OAR. No site ever reads them.',
  {
    HONOUR:
      'They are asked for as the fields of the input that mean the same. One that contradicts such a field is an error.',
    WARN: 'Each that asks for something else than the input is named in a warning.',
  },
);

export const DirectiveSystemEnum = defineEnum(
  'DirectiveSystem',
  DIRECTIVE_SYSTEMS,
  'The batch system for which a line of a script is meant.',
);
