import { Tokenizer } from '@huggingface/tokenizers';
import { readBounded } from './embedding-model.ts';

/** Gives a text as the numbers of a model's tokens. */
export type TokenIdsOf = (text: string) => number[];

/**
 * Reads the tokenizer of a model, from its `tokenizer.json` or from the words of its `vocab.txt`. Any text has tokens,
 * as many as are read at most.
 * @throws RangeError naming the file that is none
 */
export function readTokenizer(file: string): TokenIdsOf {
  const text = readBounded(file).toString('utf8');
  const tokenizer = file.endsWith('.txt') ? ofWords(text, file) : ofDescription(text, file);
  return (asked) => {
    const { ids } = tokenizer.encode(asked.slice(0, MOST_CHARACTERS));
    return ids.length <= MOST_TOKENS ? ids : [...ids.slice(0, MOST_TOKENS - 1), ids.at(-1) as number];
  };
}

function ofDescription(text: string, file: string): Tokenizer {
  try {
    return new Tokenizer(JSON.parse(text), {});
  } catch (error) {
    throw new RangeError(`${file} is no tokenizer: ${(error as Error).message}`);
  }
}

/** WordPiece as BERT has it (Devlin et al. 2019): a word a line. Where no word has a capital, texts lose theirs. */
function ofWords(text: string, file: string): Tokenizer {
  const words = text.split(/\r?\n/).slice(0, MOST_WORDS);
  if (words.at(-1) === '') words.pop();
  const missing = SPECIAL.filter((word) => !words.includes(word));
  if (missing.length > 0) throw new RangeError(`${file} is no vocabulary of BERT: it lacks ${missing.join(', ')}`);
  const idOf = (word: string) => words.indexOf(word);
  const special = (word: string) => ({ SpecialToken: { id: word, type_id: 0 } });
  const lowercase = !words.some((word) => !word.startsWith('[') && /[A-Z]/.test(word));
  return new Tokenizer(
    {
      normalizer: {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase,
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      },
      post_processor: {
        type: 'TemplateProcessing',
        single: [special('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, special('[SEP]')],
        pair: [],
        special_tokens: Object.fromEntries(
          ['[CLS]', '[SEP]'].map((word) => [word, { id: word, ids: [idOf(word)], tokens: [word] }]),
        ),
      },
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      added_tokens: SPECIAL.map((content) => ({ id: idOf(content), content, special: true, normalized: false })),
    },
    {},
  );
}

const SPECIAL = ['[UNK]', '[CLS]', '[SEP]'];
const MOST_CHARACTERS = 4096;
const MOST_TOKENS = 256;
const MOST_WORDS = 1_000_000;
